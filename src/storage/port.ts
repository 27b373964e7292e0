import type { Either } from '#fp-ts/Either';
import type { Problem } from '../contract/codecs/problem.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import type { PrStatus } from '../contract/enums.js';
import type {
  ApiTokenProfile,
  ApiTokenRecord,
  Caller,
  PasswordHash,
  SecretHash,
  SessionRecord,
  UserProfile,
  UserRecord,
} from '../records/account-records.js';
import type { TenantRows } from '../records/dataset.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
} from '../records/row-records.js';

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

/** An account with this e-mail address exists already. */
export type EmailTaken = Readonly<{ _tag: 'EmailTaken' }>;

/** The user has the maximum number of active API tokens. */
export type TooManyApiTokens = Readonly<{ _tag: 'TooManyApiTokens' }>;

/** The account cannot be changed here, because it is defined elsewhere, for example in a fixture file. */
export type AccountReadOnly = Readonly<{ _tag: 'AccountReadOnly' }>;

/**
 * A new tenant: the user, the first session, and the initial rows. The timestamps of `rows` are right at the
 * moment `asOf` of the sign-up, so a storage stores them as they are and may ignore `asOf`. A storage of demo
 * data may move them forward by the time since then whenever it is opened, as the fixture adapter does.
 */
export type NewAccount = Readonly<{
  user: UserRecord;
  session: SessionRecord;
  rows: TenantRows;
  asOf: Timestamp;
}>;

/** A range of an ordered list: skip `offset` rows, then take `limit`. */
export type Range = Readonly<{ offset: number; limit: number }>;

/** Some rows of a list, and the number of rows of the whole list. */
export type Slice<A> = Readonly<{ rows: readonly A[]; total: number }>;

/** The hashes of a request's credentials, at least one, and the moment at which they must be valid. */
export type PresentedCredentials = Readonly<{
  session: SecretHash | null;
  apiToken: SecretHash | null;
  at: Timestamp;
  /** The id of the user whom they named last, if that is known: a hint for queues, and never a proof. */
  lastUser?: string | undefined;
}>;

/** Missing, expired, revoked or unknown credentials, all the same to callers (contract, section 5). */
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
 * Accounts, sessions and API tokens. A write resolves once it is durable, as far as the storage is: no
 * acknowledged write is lost.
 */
export type AccountStorage = Readonly<{
  /** Resolves credentials by the rules of `resolveCaller`. This does not count as a use of the token. */
  caller: (credentials: PresentedCredentials) => Promise<Either<StorageError | Unauthorized, Caller>>;

  /** The user with this e-mail address, in any letter case, with the password hash. */
  userByEmail: (email: string) => Promise<Either<StorageError, UserRecord | null>>;

  /** The caller's profile. */
  user: (caller: Caller) => Promise<Either<StorageError, UserProfile | null>>;

  /**
   * Creates a tenant and ends the session `ended`, before or in the same step: there is never a new session
   * while the old one still works. If this fails, there is no new tenant, but `ended` may have ended; with
   * `EmailTaken` nothing has changed.
   */
  signUp: (account: NewAccount, ended: SecretHash | null) => Promise<Either<StorageError | EmailTaken, void>>;

  /**
   * Replaces the password hash `from` of the caller with `to`, ends all sessions of the caller, and starts
   * this one: all of it or nothing. API tokens stay valid. False, without a change, if the caller is gone or
   * has another password by now.
   */
  changePassword: (
    caller: Caller,
    change: Readonly<{ from: PasswordHash; to: PasswordHash; session: SessionRecord }>,
  ) => Promise<Either<StorageError | AccountReadOnly, boolean>>;

  /**
   * Deletes the caller and everything that belongs to the caller. Sessions and API tokens end at once,
   * nothing can be read any more, and the address is free; rows may be deleted in the background. False if
   * the caller is gone.
   */
  deleteAccount: (caller: Caller) => Promise<Either<StorageError | AccountReadOnly, boolean>>;

  /**
   * Adds a session and ends the session `ended`, before or in the same step: a login replaces one with the
   * other. If this fails, there is no new session, but `ended` may have ended. Does not add the session if
   * the user has been deleted. Above `maxSessions` of the user, the oldest one of the `origin` that has most
   * of them ends, the new one included. Sessions that have expired at its `createdAt` do not count.
   */
  startSession: (session: SessionRecord, ended: SecretHash | null) => Promise<Either<StorageError, void>>;

  /** Ends a session at once. Ending an unknown session succeeds. */
  endSession: (hash: SecretHash) => Promise<Either<StorageError, void>>;

  /** All tokens of the caller in any state, without their hashes: the latest `createdAt` first. */
  apiTokens: (caller: Caller) => Promise<Either<StorageError, readonly ApiTokenProfile[]>>;

  /**
   * Adds a token. `TooManyApiTokens` if the user has `maxActiveApiTokens` that are valid at its `createdAt`;
   * `Unauthorized` if the user has been deleted.
   */
  addApiToken: (
    apiToken: ApiTokenRecord,
  ) => Promise<Either<StorageError | TooManyApiTokens | Unauthorized, void>>;

  /** Revokes a token of the caller from `at` on; false if the caller has no token with this id. */
  revokeApiToken: (caller: Caller, id: string, at: Timestamp) => Promise<Either<StorageError, boolean>>;
}>;

/**
 * The reads of the API: totals, slices and details, never a whole tenant, so that the cost of a read does not
 * have to grow with the tenant. Each read also resolves the credentials, so that a remote storage needs one
 * round trip per request, and returns records of that caller alone. If a token was accepted, its use is
 * recorded in the background as `shouldRecordUse` says; losing a use does no harm.
 *
 * Reads are conditional, as those of HTTP are: `known` is the version that an earlier read with the same
 * parameters found. A storage may answer that the rows are still those, or with rows at any time.
 */
export type TriageStorage = Readonly<{
  /** Every repository, in the order of `compareRepos`. */
  repos: (credentials: PresentedCredentials, known?: Version) => ReadResult<readonly RepoDetails[]>;

  /** Findings in the order of `compareFixDrafts`; those of one repository if `repoId` is given. */
  findings: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined }>,
    known?: Version,
  ) => ReadResult<Slice<FixDraftRecord>>;

  /** One finding; `null` if the caller has none with this id. */
  finding: (
    credentials: PresentedCredentials,
    id: string,
    known?: Version,
  ) => ReadResult<FixDraftDetails | null>;

  /** Pull requests in the order of `comparePullRequests`, filtered by repository and status if given. */
  prs: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>,
    known?: Version,
  ) => ReadResult<Slice<PullRequestDetails>>;
}>;

/**
 * Everything that the service needs from a storage. Its operations are called without `this`, and
 * concurrently. An error is a value: no operation throws or rejects.
 */
export type Storage = AccountStorage &
  TriageStorage &
  Readonly<{
    /**
     * Succeeds if the storage can serve requests now; with `SchemaNewer` if it can although a later version
     * has changed the schema, as happens while the processes of a service are replaced one by one.
     */
    ready: () => Promise<Ready>;
  }>;

/** The maximum number of sessions per user: a new one above it ends another (`startSession`). */
export const maxSessions = 500;

/** The maximum number of active API tokens per user. */
export const maxActiveApiTokens = 50;

/** The maximum number of API tokens per user in any state. Above it, the oldest inactive one is deleted. */
export const maxApiTokens = 100;
