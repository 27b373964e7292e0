import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ApiTokenRecord } from '../records/api-token.js';
import type { TenantRows } from '../records/dataset.js';
import type { FindingFacts, PrFacts, RepoFacts } from '../records/facts.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { SessionRecord } from '../records/session.js';
import type { UserFacts, UserRecord } from '../records/user.js';
import type { Caller } from '../vocabulary/caller.js';
import type { Problem } from '../vocabulary/problem.js';
import type { Timestamp } from '../vocabulary/timestamp.js';
import type { PrStatus } from '../vocabulary/words.js';

/** Why the storage has no answer. That something does not exist is not an error: it is `null` or an empty list. */
export type StorageError =
  /** It cannot be reached, or not in time; asking again later may help. */
  | Readonly<{ _tag: 'StorageUnavailable'; cause: unknown }>
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

/** The records under two hashes, `null` where there is none. */
export type CredentialRecords = Readonly<{
  session: SessionRecord | null;
  apiToken: ApiTokenRecord | null;
}>;

/**
 * Accounts, sessions and API tokens. What resolves has been kept for good, as far as the storage keeps anything: no
 * acknowledged write is lost.
 */
export type AccountStorage = Readonly<{
  /** The session and the API token with these hashes, in one go; whether they still hold is the asker's to judge. */
  credentials: (
    hashes: Readonly<{ session: SecretHash | null; apiToken: SecretHash | null }>,
  ) => TaskEither<StorageError, CredentialRecords>;

  /** The user with this address, in whatever letter case, and the hash of the password. */
  userByEmail: (email: string) => TaskEither<StorageError, UserRecord | null>;

  /** The user who is calling. */
  user: (caller: Caller) => TaskEither<StorageError, UserFacts | null>;

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

  /** Notes that a token was used. A note that is lost does no harm. */
  noteApiTokenUse: (hash: SecretHash, at: Timestamp) => TaskEither<StorageError, void>;
}>;

/**
 * What the operations ask of a storage: totals, slices and facts, never a whole tenant, so that an index can answer each
 * of them at a cost that does not grow with the tenant. Every read is of one caller's records and of nobody else's.
 * Rows come as frozen objects; one that comes back as the same object is taken to be unchanged.
 */
export type TriageStorage = Readonly<{
  /** Every repository, in the order of `byLastScan`. */
  repos: (caller: Caller) => TaskEither<StorageError, readonly RepoFacts[]>;

  /** Findings in the order of `byDiscovery`, of one repository where `repoId` is given. */
  findings: (
    caller: Caller,
    query: Range & Readonly<{ repoId: string | undefined }>,
  ) => TaskEither<StorageError, Slice<FixDraftRecord>>;

  /** One finding; `null` when the caller has none with this id. */
  finding: (caller: Caller, id: string) => TaskEither<StorageError, FindingFacts | null>;

  /** Pull requests in the order of `byCreation`, of one repository and of one status where these are given. */
  prs: (
    caller: Caller,
    query: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>,
  ) => TaskEither<StorageError, Slice<PrFacts>>;
}>;

/** All that the service asks of a storage. */
export type Storage = AccountStorage &
  TriageStorage &
  Readonly<{
    /** Whether it can answer now. */
    ready: () => TaskEither<StorageError, void>;
  }>;
