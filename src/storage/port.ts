import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Problem } from '../codecs/problem.js';
import type { Timestamp } from '../codecs/timestamp.js';
import type { PrStatus } from '../contract/enums.js';
import type { ApiTokenRecord } from '../records/api-token.js';
import type { Caller } from '../records/caller.js';
import type { TenantRows } from '../records/dataset.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../records/details.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { SessionRecord } from '../records/session.js';
import type { UserProfile, UserRecord } from '../records/user.js';

/** Why the storage has no answer. That something does not exist is not an error: it is `null` or an empty list. */
export type StorageError =
  /** It cannot be reached, or not in time; asking again later may help. */
  | Readonly<{ _tag: 'StorageUnavailable'; cause: unknown }>
  /** It refuses what it is asked: a fault of the program or of how the storage was set up. Asking again will not help. */
  | Readonly<{ _tag: 'StorageFailed'; cause: unknown }>
  /** It holds something that the record codecs refuse; `where` names it. */
  | Readonly<{ _tag: 'RecordBroken'; where: string; problems: readonly Problem[] }>;

/** Somebody has an account with this address already. */
export type EmailTaken = Readonly<{ _tag: 'EmailTaken' }>;

/** A user has as many API tokens as one may have. */
export type TooManyApiTokens = Readonly<{ _tag: 'TooManyApiTokens' }>;

/** A new tenant: who, the first session, and the rows to begin with, which looked fresh at `asOf`. */
export type NewAccount = Readonly<{
  user: UserRecord;
  session: SessionRecord;
  rows: TenantRows;
  asOf: Timestamp;
}>;

/** Which rows of an ordered list: `limit` of them, after the first `offset`. */
export type Range = Readonly<{ offset: number; limit: number }>;

/** Some rows of a list, and how many rows the whole list has. */
export type Slice<A> = Readonly<{ rows: readonly A[]; total: number }>;

/** Who asks: the hashes of what a request brought along, at least one of them, and the moment at which they must hold. */
export type PresentedCredentials = Readonly<{
  session: SecretHash | null;
  apiToken: SecretHash | null;
  at: Timestamp;
}>;

/** Missing, expired, revoked or unknown credentials: these are not told apart (contract, section 5, rule 4). */
export type Unauthorized = Readonly<{ _tag: 'Unauthorized' }>;

/**
 * Accounts, sessions and API tokens. What resolves has been kept for good, as far as the storage keeps anything: no
 * acknowledged write is lost.
 */
export type AccountStorage = Readonly<{
  /** Whom the credentials belong to, as `callerOf` judges them. To look is no use of a token. */
  caller: (credentials: PresentedCredentials) => TaskEither<StorageError | Unauthorized, Caller>;

  /** The user with this address, in whatever letter case, and the hash of the password. */
  userByEmail: (email: string) => TaskEither<StorageError, UserRecord | null>;

  /** The user who is calling. */
  user: (caller: Caller) => TaskEither<StorageError, UserProfile | null>;

  /** Creates a tenant, whole or not at all, and ends a session in the same step. */
  signUp: (account: NewAccount, ended: SecretHash | null) => TaskEither<StorageError | EmailTaken, void>;

  /** Adds a session, and ends another in the same step: a login exchanges one for the other. */
  startSession: (session: SessionRecord, ended: SecretHash | null) => TaskEither<StorageError, void>;

  /** Ends a session at once; one that does not exist has ended already. */
  endSession: (hash: SecretHash) => TaskEither<StorageError, void>;

  /** All tokens of the caller, revoked and expired ones among them, the newest first. */
  apiTokens: (caller: Caller) => TaskEither<StorageError, readonly ApiTokenRecord[]>;

  addApiToken: (apiToken: ApiTokenRecord) => TaskEither<StorageError | TooManyApiTokens, void>;

  /** Revokes a token of the caller from that moment on; false when the caller has none with this id. */
  revokeApiToken: (caller: Caller, id: string, at: Timestamp) => TaskEither<StorageError, boolean>;
}>;

/**
 * What the operations ask of a storage: totals, slices and facts, never a whole tenant, so that an index can answer each
 * of them at a cost that does not grow with the tenant. Each read also settles who asks, so that a storage far away is asked
 * once a request; it is of that caller's records and of nobody else's. A token that decided is noted as used, as far as
 * `isUseDue`; a note that is lost does no harm, and nobody waits for it.
 *
 * Rows come as frozen objects; one that comes back as the same object is taken to be unchanged.
 */
export type TriageStorage = Readonly<{
  /** Every repository, in the order of `byLastScan`. */
  repos: (
    credentials: PresentedCredentials,
  ) => TaskEither<StorageError | Unauthorized, readonly RepoDetails[]>;

  /** Findings in the order of `compareFixDrafts`, of one repository where `repoId` is given. */
  findings: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined }>,
  ) => TaskEither<StorageError | Unauthorized, Slice<FixDraftRecord>>;

  /** One finding; `null` when the caller has none with this id. */
  finding: (
    credentials: PresentedCredentials,
    id: string,
  ) => TaskEither<StorageError | Unauthorized, FixDraftDetails | null>;

  /** Pull requests in the order of `byCreation`, of one repository and of one status where these are given. */
  prs: (
    credentials: PresentedCredentials,
    query: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>,
  ) => TaskEither<StorageError | Unauthorized, Slice<PullRequestDetails>>;
}>;

/** All that the service asks of a storage. */
export type Storage = AccountStorage &
  TriageStorage &
  Readonly<{
    /** Whether it can answer now. */
    ready: () => TaskEither<StorageError, void>;
  }>;
