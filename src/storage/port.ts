import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ApiTokenRecord } from '../records/api-token.js';
import type { FindingFacts, PrFacts, RepoFacts } from '../records/facts.js';
import type { FixDraftRecord } from '../records/fix-draft.js';
import type { SecretHash } from '../records/secret-hash.js';
import type { SessionRecord } from '../records/session.js';
import type { Caller } from '../vocabulary/caller.js';
import type { Problem } from '../vocabulary/problem.js';
import type { PrStatus } from '../vocabulary/words.js';

/** Why the storage has no answer. That something does not exist is not an error: it is `null` or an empty list. */
export type StorageError =
  /** It cannot be reached, or not in time; asking again later may help. */
  | Readonly<{ _tag: 'StorageUnavailable'; cause: unknown }>
  /** It holds something that the record codecs refuse; `where` names it. */
  | Readonly<{ _tag: 'RecordBroken'; where: string; problems: readonly Problem[] }>;

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
 * What the service asks of a storage: totals, slices and facts, never a whole tenant, so that an index can answer each
 * of them at a cost that does not grow with the tenant. Every read is of one caller's records and of nobody else's.
 * Rows come as frozen objects; one that comes back as the same object is taken to be unchanged.
 */
export type Storage = Readonly<{
  /** The session and the API token with these hashes, in one go; whether they still hold is the caller's to judge. */
  credentials: (
    hashes: Readonly<{ session: SecretHash | null; apiToken: SecretHash | null }>,
  ) => TaskEither<StorageError, CredentialRecords>;

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

  /** Whether it can answer now. */
  ready: () => TaskEither<StorageError, void>;
}>;
