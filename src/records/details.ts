import type { FixDraftRecord } from './fix-draft.js';
import type { PullRequestRecord } from './pull-request.js';
import type { RepoRecord } from './repo.js';
import type { ScanRecord } from './scan.js';

/** A repository with the values derived from its scans, drafts and pull requests. */
export type RepoDetails = Readonly<{
  repo: RepoRecord;
  /** The scan that began last; among equals, the one with the greatest id. Null if it was never scanned. */
  lastScan: ScanRecord | null;
  /** The number of its pull requests whose `prState` is exactly "open". */
  openPrCount: number;
  /** The draft of the open pull request that was updated last; among equals, the one with the smallest id. */
  openFixDraftId: string | null;
  /** The number of distinct advisories of its unresolved drafts. */
  openAdvisoryCount: number;
}>;

/** A fix draft with the number of its pull requests. */
export type FixDraftDetails = Readonly<{ draft: FixDraftRecord; prCount: number }>;

/** A pull request with what the API shows of its draft and its repository. */
export type PullRequestDetails = Readonly<{
  pullRequest: PullRequestRecord;
  draft: Pick<FixDraftRecord, 'repoId' | 'advisoryId' | 'package'>;
  repo: Pick<RepoRecord, 'owner' | 'repo'>;
}>;
