import type { Finding } from '../../contract/finding.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { Pr } from '../../contract/pr.js';

/** Everything that the lists of the API show to one user, in the order in which they show it. */
export type TenantLists = Readonly<{
  repos: readonly LenientRepo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;
