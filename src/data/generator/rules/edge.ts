import { at, type NonEmpty } from '../random.js';
import type { RepoKind } from '../repo-kind.js';
import { findingQuirks } from './finding-quirks.js';
import { pullRequestQuirks } from './pull-request-quirks.js';
import { repoQuirks } from './repo-quirks.js';
import type { Rules } from './rules.js';
import { scanQuirks } from './scan-quirks.js';
import { uniform } from './uniform.js';

/** By turns like the quirks of repositories; the fifth has no scan, and the sixth nothing but scans. */
const kinds: NonEmpty<RepoKind> = [
  'busy',
  'busy',
  'busy',
  'busy',
  'never',
  'failed',
  'partial',
  'scanning',
  'healthy',
];
const empty = [4, 5];

/** The other rows of a collection stay as they are: a value is an extreme among ordinary ones. */
const every =
  <Row>(quirks: NonEmpty<(row: Row) => Partial<Row>>) =>
  (row: Row, index: number): Row => ({ ...row, ...at(quirks, index)(row) });

/**
 * What is rare but allowed: uniform data, in which every second row or so has extreme values. One repository
 * has nearly all findings, and one finding has more pull requests than a page.
 */
export const edge: Rules = {
  ...uniform,
  kind: (_, repo) => at(kinds, repo),
  weight: (_, repo) => (empty.includes(repo % kinds.length) ? 0 : repo === 0 ? 1_000_000 : 1000),
  quirks: {
    repo: every(repoQuirks),
    scan: every(scanQuirks),
    finding: every(findingQuirks),
    pullRequest: every(pullRequestQuirks),
  },
};
