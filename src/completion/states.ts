import type { FindingStatus } from '../contract/enums.js';
import { prStatusOf } from '../contract/pr-status-of.js';
import type { Chance } from './digest.js';
import type { SparseFinding, SparseOwnPullRequest } from './sparse-codecs.js';

type PullRequestStates = Pick<SparseOwnPullRequest, 'prState' | 'ciStatus'>;

/**
 * The status of a finding that gives none: what fits the states of its pull requests, else what fits its
 * other fields, else `pending`.
 */
export const statusOf = (
  { ciStatus, reconciledAt }: SparseFinding,
  pullRequests: readonly PullRequestStates[],
): FindingStatus => {
  const states = pullRequests.map(({ prState }) => (prState === undefined ? 'open' : prStatusOf(prState)));
  if (states.includes('merged')) return 'resolved';
  if (states.includes('open') || states.includes(null)) return 'drafting';
  if (states.includes('closed')) return 'escalated';
  if (typeof reconciledAt === 'string') return 'resolved';
  if (ciStatus === 'failing') return 'escalated';
  return ciStatus === 'passing' || ciStatus === 'running' ? 'drafting' : 'pending';
};

/** The state of a pull request that gives none. */
export const prStateOf: Readonly<Record<FindingStatus, string>> = {
  pending: 'open',
  drafting: 'open',
  escalated: 'closed',
  resolved: 'merged',
};

/** The CI status of a finding that gives none: that of its open pull request, if it says one. */
export const findingCiStatus = (
  status: FindingStatus,
  pullRequests: readonly PullRequestStates[],
  chance: Chance,
): string => {
  if (status === 'pending') return 'none';
  if (status === 'resolved') return 'passing';
  if (status === 'escalated') return 'failing';
  const said = pullRequests
    .filter(({ prState }) => prState === undefined || prStatusOf(prState) === 'open')
    .flatMap(({ ciStatus }) => (ciStatus === undefined ? [] : [ciStatus]));
  return [...said].sort()[0] ?? (chance('ci') < 0.6 ? 'passing' : 'running');
};

/** The CI status of a pull request that gives none. `ofFinding` is that of its finding. */
export const pullRequestCiStatus = (prState: string | null, ofFinding: string): string => {
  const state = prStatusOf(prState);
  if (state === 'merged') return 'passing';
  if (state === 'closed') return 'failing';
  return ofFinding === 'none' ? 'running' : ofFinding;
};
