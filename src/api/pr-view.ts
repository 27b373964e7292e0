import type { Pr } from '../contract/pr.js';
import type { PullRequestDetails } from '../records/details.js';

/**
 * A pull request as the contract shows it (section 2.3): under the id of its fix draft, with that draft's
 * package.
 */
export const prView = ({
  pullRequest: { draftId, ...pullRequest },
  draft,
  repo,
}: PullRequestDetails): Pr => ({
  ...pullRequest,
  id: draftId,
  repoId: draft.repoId,
  repo: { owner: repo.owner, repo: repo.repo },
  advisoryId: draft.advisoryId,
  package: draft.package,
});
