import type { Pr } from '../contract/pr.js';
import type { PullRequestDetails } from '../records/details.js';

/** A pull request as the contract shows it (section 2.3), in the contract's order. Its `id` is that of the draft. */
export const prView = ({ pullRequest, draft, repo }: PullRequestDetails): Pr => ({
  id: draft.id,
  repoId: draft.repoId,
  repo: { owner: repo.owner, repo: repo.repo },
  advisoryId: draft.advisoryId,
  package: draft.package,
  fromVersion: pullRequest.fromVersion,
  toVersion: pullRequest.toVersion,
  branch: pullRequest.branch,
  hasCodemod: pullRequest.hasCodemod,
  codemodSummary: pullRequest.codemodSummary,
  ciStatus: pullRequest.ciStatus,
  prUrl: pullRequest.prUrl,
  prState: pullRequest.prState,
  createdAt: pullRequest.createdAt,
  updatedAt: pullRequest.updatedAt,
  reconciledAt: pullRequest.reconciledAt,
});
