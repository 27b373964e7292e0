/** Derived from the codecs of fixture files by `npm run derive`, so that editors show what each field is. */
import type { OutputOf } from 'io-ts';
import type {
  SparseApiToken,
  SparseFinding,
  SparseOwnPullRequest,
  SparsePullRequest,
  SparseRepo,
  SparseScan,
  SparseSession,
  SparseUser,
} from '../../fixtures/fixture-format.js';

/** The fields of a user. */
export interface UserFields {
  /** Id of your choice, unique across all files. Default: `usr_NAME`. */
  readonly id?: OutputOf<typeof SparseUser>['id'];
  /** The e-mail address to log in with; unique across all files. Default: `user@NAME.test`. */
  readonly email?: OutputOf<typeof SparseUser>['email'];
  /** Display name. Default: from the name of the file. */
  readonly name?: OutputOf<typeof SparseUser>['name'];
  /**
   * The password to log in with, in clear text: never use a real one in fixtures. Default: `NAME-password`.
   */
  readonly password?: OutputOf<typeof SparseUser>['password'];
}

/** The fields of a session. */
export interface SessionFields {
  /** Id of your choice, unique among sessions. Default: from what the row says. */
  readonly id?: OutputOf<typeof SparseSession>['id'];
  /** The value of the cookie `session`; unique across all files. */
  readonly value: OutputOf<typeof SparseSession>['value'];
  /** When the session started. Default: a day before `asOf`. */
  readonly createdAt?: OutputOf<typeof SparseSession>['createdAt'] | Date;
  /** When it expires. Default: a year after `asOf`. */
  readonly expiresAt?: OutputOf<typeof SparseSession>['expiresAt'] | Date;
}

/** The fields of an API token. */
export interface ApiTokenFields {
  /** Id of your choice, unique among apiTokens. Default: from what the row says. */
  readonly id?: OutputOf<typeof SparseApiToken>['id'];
  /** A name to recognize it by. Default: `API token`. */
  readonly name?: OutputOf<typeof SparseApiToken>['name'];
  /** The token that follows `Authorization: Bearer`; unique across all files. */
  readonly token: OutputOf<typeof SparseApiToken>['token'];
  /** When the token was created. Default: a day before `asOf`. */
  readonly createdAt?: OutputOf<typeof SparseApiToken>['createdAt'] | Date;
  /** When it expires; null if never. Default: null. */
  readonly expiresAt?: OutputOf<typeof SparseApiToken>['expiresAt'] | Date;
  /** When it was revoked; null if it was not. Default: null. */
  readonly revokedAt?: OutputOf<typeof SparseApiToken>['revokedAt'] | Date;
}

/** The fields of a repository. */
export interface RepoFields {
  /** Id of your choice, unique among repos. Default: from owner and name. */
  readonly id?: OutputOf<typeof SparseRepo>['id'];
  /** Name of its owner. Default: the part of `repo` before the slash, or from the name of the file. */
  readonly owner?: OutputOf<typeof SparseRepo>['owner'];
  /** Its name. Default: `app`; without `owner`, it may be "owner/name". */
  readonly repo?: OutputOf<typeof SparseRepo>['repo'];
  /** Name of its default branch. Default: `main`. */
  readonly defaultBranch?: OutputOf<typeof SparseRepo>['defaultBranch'];
  /** Whether this is a demonstration row. Default: false. */
  readonly isDemoRow?: OutputOf<typeof SparseRepo>['isDemoRow'];
  /** Display badge for the scan status. Any text. Default: fits the scans and findings. */
  readonly scanStatusBadge?: OutputOf<typeof SparseRepo>['scanStatusBadge'];
  /** Triage status of the repository. Any text. Default: fits the scans and findings. */
  readonly status?: OutputOf<typeof SparseRepo>['status'];
}

/** The fields of a scan. */
export interface ScanFields {
  /** Id of your choice, unique among scans. Default: from what the row says. */
  readonly id?: OutputOf<typeof SparseScan>['id'];
  /** Id of an entry of repos. Default: the repository that `repo` names. */
  readonly repoId?: OutputOf<typeof SparseScan>['repoId'];
  /**
   * When the scan started. The scan that began last is the last scan of its repository. Default: in the last
   * day before `asOf`.
   */
  readonly startedAt?: OutputOf<typeof SparseScan>['startedAt'] | Date;
  /** When the scan finished. Default: a minute or two after it started. */
  readonly finishedAt?: OutputOf<typeof SparseScan>['finishedAt'] | Date;
  /** Status of the scan. Any text. Default: `completed`; with an error `failed`. */
  readonly status?: OutputOf<typeof SparseScan>['status'];
  /** Number of findings that the scan saw. Default: the unresolved findings at that time. */
  readonly findingsSeen?: OutputOf<typeof SparseScan>['findingsSeen'];
  /** Number of fix drafts that the scan opened. Default: how many of these findings are `drafting`. */
  readonly draftsOpened?: OutputOf<typeof SparseScan>['draftsOpened'];
  /** The error of the scan; null if there was none. Default: null; a sentence if the scan failed. */
  readonly error?: OutputOf<typeof SparseScan>['error'];
}

/** The fields of a finding. */
export interface FindingFields {
  /**
   * Id of your choice, unique among fixDrafts. It is the id of the finding. Default: from what the row says.
   */
  readonly id?: OutputOf<typeof SparseFinding>['id'];
  /** Id of an entry of repos. Default: the repository that `repo` names. */
  readonly repoId?: OutputOf<typeof SparseFinding>['repoId'];
  /** Identifier of the security advisory. Default: a published advisory of the package, if one is known. */
  readonly advisoryId?: OutputOf<typeof SparseFinding>['advisoryId'];
  /** Name of the dependent package. Default: a well-known package whose advisory fits the other fields. */
  readonly package?: OutputOf<typeof SparseFinding>['package'];
  /** Package ecosystem, such as npm. Default: as in the advisory. */
  readonly ecosystem?: OutputOf<typeof SparseFinding>['ecosystem'];
  /** Range of the vulnerable versions. Default: as in the advisory. */
  readonly vulnerableRange?: OutputOf<typeof SparseFinding>['vulnerableRange'];
  /** Range of the fixed versions. Default: as in the advisory. */
  readonly fixedRange?: OutputOf<typeof SparseFinding>['fixedRange'];
  /** Severity of the advisory. Default: as in the advisory. */
  readonly severity?: OutputOf<typeof SparseFinding>['severity'];
  /** Fractional score: how reachable the vulnerable code is. Default: between 0 and 1. */
  readonly reachability?: OutputOf<typeof SparseFinding>['reachability'];
  /** Fractional score: how strong the signs of exploitation are. Default: between 0 and 1. */
  readonly exploitSignal?: OutputOf<typeof SparseFinding>['exploitSignal'];
  /** Lifecycle status. Default: `pending`; with a pull request, what fits its state. */
  readonly status?: OutputOf<typeof SparseFinding>['status'];
  /** CI result for the fix. Any text. Default: fits the status. */
  readonly ciStatus?: OutputOf<typeof SparseFinding>['ciStatus'];
  /** When the finding was discovered. Lists show the latest first. Default: some time before `asOf`. */
  readonly discoveredAt?: OutputOf<typeof SparseFinding>['discoveredAt'] | Date;
  /** When the finding last changed. Default: after it was discovered. */
  readonly updatedAt?: OutputOf<typeof SparseFinding>['updatedAt'] | Date;
  /**
   * When the finding was last reconciled, or null. Default: null; soon after `updatedAt` if it is resolved.
   */
  readonly reconciledAt?: OutputOf<typeof SparseFinding>['reconciledAt'] | Date;
}

/** The fields of a pull request of a finding. */
export interface OwnPullRequestFields {
  /**
   * Id of your choice, unique among pullRequests. The API orders ties by it, but does not show it. Default:
   * from what the row says.
   */
  readonly id?: OutputOf<typeof SparseOwnPullRequest>['id'];
  /** The vulnerable version. Default: a version in the vulnerable range. */
  readonly fromVersion?: OutputOf<typeof SparseOwnPullRequest>['fromVersion'];
  /** The fixed version. Default: the first fixed version. */
  readonly toVersion?: OutputOf<typeof SparseOwnPullRequest>['toVersion'];
  /** Source branch of the pull request. Default: `triage/PACKAGE-VERSION`. */
  readonly branch?: OutputOf<typeof SparseOwnPullRequest>['branch'];
  /** Whether it contains a codemod. Default: whether there is a `codemodSummary`. */
  readonly hasCodemod?: OutputOf<typeof SparseOwnPullRequest>['hasCodemod'];
  /**
   * Part of the code change; it may span several lines, and may be cut off. Default: empty; a line of code
   * with `hasCodemod`.
   */
  readonly codemodSummary?: OutputOf<typeof SparseOwnPullRequest>['codemodSummary'];
  /** CI result for the pull request. Any text. Default: fits the state. */
  readonly ciStatus?: OutputOf<typeof SparseOwnPullRequest>['ciStatus'];
  /** URL of the pull request. Default: in the repository, with a number of its own. */
  readonly prUrl?: OutputOf<typeof SparseOwnPullRequest>['prUrl'];
  /**
   * State: any text or null. The API's filter matches "open", "merged", "closed", "cancelled" and null.
   * Default: fits the status of the finding.
   */
  readonly prState?: OutputOf<typeof SparseOwnPullRequest>['prState'];
  /**
   * When the pull request was created. Lists show the latest first. Default: some hours after the finding was
   * discovered.
   */
  readonly createdAt?: OutputOf<typeof SparseOwnPullRequest>['createdAt'] | Date;
  /** When it last changed. Default: after it was created. */
  readonly updatedAt?: OutputOf<typeof SparseOwnPullRequest>['updatedAt'] | Date;
  /** When it was last reconciled, or null. Default: null while it is open, else soon after `updatedAt`. */
  readonly reconciledAt?: OutputOf<typeof SparseOwnPullRequest>['reconciledAt'] | Date;
}

/** The fields of a pull request. */
export interface PullRequestFields extends OwnPullRequestFields {
  /** Id of an entry of fixDrafts. Default: the only finding that fits `repo` and `package`. */
  readonly draftId?: OutputOf<typeof SparsePullRequest>['draftId'];
  /** The repository of the finding as "owner/name", instead of `draftId`. */
  readonly repo?: OutputOf<typeof SparsePullRequest>['repo'];
  /** The package of the finding, instead of `draftId`. */
  readonly package?: OutputOf<typeof SparsePullRequest>['package'];
}
