import type {
  FindingFields,
  OwnPullRequestFields,
  PullRequestFields,
  RepoFields,
  ScanFields,
} from './fields.js';

/** A repository as a test describes it. */
export interface Repo extends RepoFields {
  /** The findings in it. They need no `repo` of their own. */
  readonly findings?: readonly Finding[] | undefined;
  /** Its scans. They need no `repo` of their own. */
  readonly scans?: readonly Scan[] | undefined;
}

/** A scan as a test describes it. */
export interface Scan extends ScanFields {
  /** The repository: what `repo` returned, or "owner/name". Default: the repository that lists the scan. */
  readonly repo?: Repo | string | undefined;
}

/** A finding as a test describes it. */
export interface Finding extends FindingFields {
  /**
   * The repository: what `repo` returned, or "owner/name". Default: the repository that lists the finding, or
   * else one for all findings that name none.
   */
  readonly repo?: Repo | string | undefined;
  /** Its pull request. */
  readonly pullRequest?: OwnPullRequestFields | undefined;
  /** Its pull requests, if it has several. */
  readonly pullRequests?: readonly PullRequest[] | undefined;
}

/** A pull request as a test describes it. */
export interface PullRequest extends PullRequestFields {
  /** The finding: what `finding` returned. Default: the finding that lists the pull request. */
  readonly finding?: Finding | undefined;
}

// Each call returns a new object, because two rows with the same fields are two rows.

/** A repository with these fields. `tenant` completes the others. */
export const repo = (fields: Repo = {}): Repo => ({ ...fields });

/** A scan with these fields. `tenant` completes the others. */
export const scan = (fields: Scan = {}): Scan => ({ ...fields });

/** A finding with these fields. `tenant` completes the others. */
export const finding = (fields: Finding = {}): Finding => ({ ...fields });

/** A pull request with these fields. `tenant` completes the others. */
export const pullRequest = (fields: PullRequest = {}): PullRequest => ({ ...fields });
