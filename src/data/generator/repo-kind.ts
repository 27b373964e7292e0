import type { NonEmpty, Weighted } from './random.js';

/**
 * How a repository is doing: `busy` has findings that nobody works on, `tended` has a fix under way for each,
 * `healthy` has none left; the last scan of the others failed, was partial, is still running, or never began.
 */
export type RepoKind = 'busy' | 'tended' | 'healthy' | 'failed' | 'partial' | 'scanning' | 'never';

/** One of each kind. The first two are those with the most findings. */
export const everyKind: NonEmpty<RepoKind> = [
  'busy',
  'tended',
  'never',
  'failed',
  'partial',
  'scanning',
  'healthy',
];

/** How many of a hundred repositories are of a kind. */
export const kindWeights: NonEmpty<Weighted<RepoKind>> = [
  [45, 'busy'],
  [20, 'healthy'],
  [15, 'tended'],
  [7, 'never'],
  [5, 'failed'],
  [5, 'partial'],
  [3, 'scanning'],
];

/** The badge of a repository of each kind. */
export const badges: Readonly<Record<RepoKind, string>> = {
  busy: 'attention',
  tended: 'attention',
  healthy: 'healthy',
  failed: 'failed',
  partial: 'partial',
  scanning: 'scanning',
  never: 'never_scanned',
};
