import type { FixDraftRecord } from './fix-draft.js';
import type { PullRequestRecord } from './pull-request.js';
import type { RepoRecord } from './repo.js';
import type { ScanRecord } from './scan.js';

/** A repository with what is derived from its scans, drafts and pull requests. */
export type RepoDetails = Readonly<{
  repo: RepoRecord;
  /** The one that began last, of one moment the one with the greatest id; null: never scanned. */
  lastScan: ScanRecord | null;
  /** How many of its pull requests are "open", to the letter. */
  openPrCount: number;
  /** Whichever open pull request was touched last names it; of one moment, the one with the smallest id. */
  openFixDraftId: string | null;
  /** Distinct advisories of its drafts that are not resolved. */
  openAdvisoryCount: number;
}>;

/** A fix draft with the number of its pull requests. */
export type FixDraftDetails = Readonly<{ draft: FixDraftRecord; prCount: number }>;

/** A pull request with the draft it fixes and the repository it is for. */
export type PullRequestDetails = Readonly<{
  pullRequest: PullRequestRecord;
  draft: FixDraftRecord;
  repo: RepoRecord;
}>;
