import type { Finding } from '../contract/finding.js';
import type { Pr } from '../contract/pr.js';
import type { Repo } from '../contract/repo.js';

/** All that a user can see through the API, in the order of its lists. */
export type Answers = Readonly<{
  repos: readonly Repo[];
  findings: readonly Finding[];
  prs: readonly Pr[];
}>;
