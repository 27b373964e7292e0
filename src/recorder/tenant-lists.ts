import type { Finding } from '../contract/finding.js';
import type { Pr } from '../contract/pr.js';
import type { Repo } from '../contract/repo.js';

/** Everything that the lists of the API show to one user, in the order in which they show it. */
export type TenantLists = Readonly<{
  repos: readonly Repo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;
