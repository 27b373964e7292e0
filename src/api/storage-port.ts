import type { Either } from '#fp-ts/Either';
import type { Problem } from '../contract/codecs/problem.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import type { PrStatus } from '../contract/enums.js';
import type { Caller, ResolvedCaller, SecretHash } from './credentials.js';
import type { FixDraftDetails, FixDraftRecord, PullRequestDetails, RepoDetails } from './row-records.js';

/** Why a storage operation failed. A missing record is not an error: it is `null` or an empty list. */
export type StorageError =
  /** The storage cannot be reached in time. A retry may succeed. */
  | Readonly<{ _tag: 'StorageUnavailable'; cause: unknown }>
  /** The storage has more to do than it can, and has not done this. A retry after a pause may succeed. */
  | Readonly<{ _tag: 'StorageBusy'; cause: unknown }>
  /** The storage can be read and not changed, as a standby. Nothing has changed; a retry may succeed. */
  | Readonly<{ _tag: 'StorageReadOnly'; cause: unknown }>
  /** The storage refused the operation: a fault of the program or of its set-up. A retry will not succeed. */
  | Readonly<{ _tag: 'StorageFailed'; cause: unknown }>
  /** The storage returned something that the record codecs refuse; `where` names it. */
  | Readonly<{ _tag: 'RecordBroken'; where: string; problems: readonly Problem[] }>;

/** Why a storage cannot serve requests now. */
export type NotReady =
  | StorageError
  | SchemaOlder
  /** This version of the program cannot use the schema of a later one; `cause` says what failed. */
  | (SchemaNewer & Readonly<{ cause: unknown }>);

/** These changes of the schema, which this version of the program needs, have not been applied. */
export type SchemaOlder = Readonly<{ _tag: 'SchemaOlder'; missing: readonly string[] }>;

/** These changes of the schema have been applied by a later version of the program. */
export type SchemaNewer = Readonly<{ _tag: 'SchemaNewer'; unknown: readonly string[] }>;

/** The storage can be read; logins, sign-ups and other changes fail. */
export type ReadOnly = Readonly<{ _tag: 'ReadOnly' }>;

/** These parts of the storage are away; requests for what they hold fail, and all others are served. */
export type WorkersAway = Readonly<{ _tag: 'WorkersAway'; workers: readonly string[] }>;

/** Whether a storage can serve requests now, and what an operator should know of one that can. */
export type Ready = Either<NotReady, SchemaNewer | ReadOnly | WorkersAway | undefined>;

/** A range of an ordered list: skip `offset` rows, then take `limit`. */
export type Range = Readonly<{ offset: number; limit: number }>;

/** Some rows of a list, and the number of rows of the whole list. */
export type Slice<A> = Readonly<{ rows: readonly A[]; total: number }>;

/** The hashes of a request's credentials, at least one, and the moment at which they must be valid. */
export type PresentedCredentials = Readonly<{
  session: SecretHash | null;
  apiToken: SecretHash | null;
  at: Timestamp;
}>;

/** Missing, expired or unknown credentials, all the same to callers (contract, section 5, rule 4). */
export type Unauthorized = Readonly<{ _tag: 'Unauthorized' }>;

/**
 * Stands for the rows that a read has found; what is in it is up to the storage. Two reads of one user with
 * the same parameters and the same version have the same rows: no version ever comes back for others.
 */
export type Version = string;

/** Whose the credentials are, and the rows. `version`: null, if the storage cannot tell them from others. */
export type FoundRows<Rows> = Readonly<{ caller: Caller; version: Version | null; rows: Rows }>;

/** What a read finds; `unchanged`: the rows are those of the version that was known. */
export type Found<Rows> = FoundRows<Rows> | Readonly<{ caller: Caller; unchanged: true }>;

/** What a read comes to. */
export type ReadResult<Rows> = Promise<Either<StorageError | Unauthorized, Found<Rows>>>;

/**
 * The reads of the API: totals, slices and details, never a whole tenant, so that the cost of a read does not
 * have to grow with the tenant. Each read also resolves the credentials, so that a remote storage needs one
 * round trip per request, and returns records of that caller alone. If a token was accepted, its use is
 * recorded in the background as `shouldRecordUse` says; losing a use does no harm.
 *
 * Reads are conditional, as those of HTTP are: `knownVersion` is the one that an earlier read with the same
 * parameters found. A storage may answer that the rows are still those, or with rows at any time.
 */
export type TriageStorage = Readonly<{
  /** Every repository, in the order of `compareRepos`. */
  repos: (credentials: PresentedCredentials, knownVersion?: Version) => ReadResult<readonly RepoDetails[]>;

  /** Findings in the order of `compareFixDrafts`; those of one repository if `repoId` is given. */
  findings: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined }>,
    knownVersion?: Version,
  ) => ReadResult<Slice<FixDraftRecord>>;

  /** One finding; `null` if the caller has none with this id. */
  finding: (
    credentials: PresentedCredentials,
    id: string,
    knownVersion?: Version,
  ) => ReadResult<FixDraftDetails | null>;

  /** Pull requests in the order of `comparePullRequests`, filtered by repository and status if given. */
  prs: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>,
    knownVersion?: Version,
  ) => ReadResult<Slice<PullRequestDetails>>;
}>;

/** Whose credentials are. */
export type CallerStorage = Readonly<{
  /** Resolves credentials by the rules of `resolveCaller`. This does not count as a use of the token. */
  caller: (credentials: PresentedCredentials) => Promise<Either<StorageError | Unauthorized, ResolvedCaller>>;
}>;

/** Whether the storage can serve requests. */
export type ReadyStorage = Readonly<{
  /**
   * Succeeds if the storage can serve requests now; with `SchemaNewer` if it can although a later version
   * has changed the schema, as happens while the processes of a service are replaced one by one.
   */
  ready: () => Promise<Ready>;
}>;
