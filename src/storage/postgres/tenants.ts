import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { nullable } from '../../codecs/nullable.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier } from '../../codecs/text.js';
import type { Timestamp } from '../../codecs/timestamp.js';
import { nearest } from '../../common/did-you-mean.js';
import { RecordCounts } from '../../records/record-counts.js';
import { emailKey } from '../../records/user.js';
import type { StorageError } from '../port.js';
import { type Asked, type ConnectionForRows, hasCode } from './database.js';
import { searchKey } from './queries.js';
import { call, decodeResult, rowsOf, storedTime } from './stored-records.js';

const Tenant = t.strict({ id: Identifier, email: t.string, isDeleted: t.boolean }, 'tenants');

/** A tenant. Its address is empty once it is marked as deleted (`isDeleted`). */
export type Tenant = t.TypeOf<typeof Tenant>;

/** Why a text does not identify a tenant. */
export type TenantNotFound =
  /** There is none. `nearest`: an id or an address that may have been meant; null if none is close. */
  | Readonly<{ _tag: 'UnknownTenant'; nearest: string | null }>
  /** The text is the id of one tenant and the address of another. */
  | Readonly<{ _tag: 'AmbiguousTenant'; ids: readonly string[] }>;

/** Finds a tenant by its id, or by its e-mail address in any letter case. */
export const findTenant = (
  database: Asked,
  idOrEmail: string,
): TE.TaskEither<StorageError | TenantNotFound, Tenant> =>
  pipe(
    rowsOf(
      database,
      Tenant,
      `SELECT id, email, deleted_at IS NOT NULL AS "isDeleted" FROM triage.users
       WHERE id = $1 OR email_key = $2 ORDER BY id`,
      searchKey(idOrEmail),
      searchKey(emailKey(idOrEmail)),
    ),
    TE.flatMap((tenants): TE.TaskEither<StorageError | TenantNotFound, Tenant> => {
      const [first, second] = tenants;
      if (first === undefined) return unknownTenant(database, idOrEmail);
      if (second === undefined) return TE.right(first);
      return TE.left({ _tag: 'AmbiguousTenant', ids: tenants.map(({ id }) => id) });
    }),
  );

/** Compares the text with some ids and addresses of about its length, to find out which one was meant. */
const unknownTenant = (
  database: Asked,
  idOrEmail: string,
): TE.TaskEither<StorageError | TenantNotFound, never> =>
  pipe(
    rowsOf(
      database,
      t.strict({ name: t.string }, 'names'),
      `SELECT known.name FROM triage.users, unnest(ARRAY[id::text, email_key]) AS known (name)
       WHERE abs(char_length(known.name) - $1) <= 3 LIMIT 10000`,
      idOrEmail.length,
    ),
    TE.map((rows) => rows.map(({ name }) => name)),
    TE.flatMap((names) =>
      TE.left<TenantNotFound>({ _tag: 'UnknownTenant', nearest: nearest(idOrEmail, names) }),
    ),
  );

/** The tables of a tenant's records, by the names of their counts. */
const tables = {
  repos: 'repos',
  scans: 'scans',
  fixDrafts: 'fix_drafts',
  pullRequests: 'pull_requests',
  sessions: 'sessions',
  apiTokens: 'api_tokens',
} satisfies Readonly<Record<keyof RecordCounts, string>>;

/** Counts the records of a tenant, table by table: Citus has some on a worker. */
export const countRecords = (database: Asked, { id }: Tenant): TE.TaskEither<StorageError, RecordCounts> =>
  pipe(
    Object.entries(tables),
    TE.traverseSeqArray(([name, table]) =>
      pipe(
        rowsOf(
          database,
          t.strict({ count: Integer }, table),
          `SELECT count(*)::integer AS count FROM triage.${table} WHERE user_id = $1`,
          id,
        ),
        TE.map(([row]) => [name, row?.count]),
      ),
    ),
    TE.flatMapEither((counts) => decodeResult(RecordCounts, 'record counts')(Object.fromEntries(counts))),
  );

type BatchOptions = Readonly<{
  /** The most rows of a transaction: enough to amortize the commit, so few that nobody waits long. */
  batchSize: number;
  /** Asked before each batch. */
  shouldStop: () => boolean;
}>;

/** How many rows were deleted, and whether nothing of the tenant is left: else the deletion was stopped. */
export type Deletion = Readonly<{ rows: number; isGone: boolean }>;

/**
 * Deletes a tenant. First it is locked out: its sessions and tokens end, and its address becomes free. Then
 * its rows are deleted in batches. A deletion that was stopped or has failed continues with the next call, or
 * with `purge`. `onProgress` is called after each batch with the number of rows that have been deleted.
 */
export const deleteTenant = (
  database: Asked,
  { id }: Tenant,
  { batchSize = 10_000, ...options }: DeletionOptions,
): TE.TaskEither<StorageError, Deletion> =>
  pipe(
    call(database, t.boolean, 'delete_account', id),
    TE.flatMap(() => deleteRows(database, () => database, id, { batchSize, ...options })),
  );

export type DeletionOptions = Pick<BatchOptions, 'shouldStop'> &
  Readonly<{ batchSize?: number; onProgress: (rows: number) => void }>;

/** How often a batch that lost a deadlock or a serialization conflict is tried again. */
const maxRetries = 10;

/** `wasLast`: this call has deleted the tenant itself, rather than another one, or an import. */
const deleteRows =
  (
    database: Asked,
    connectionFor: ConnectionForRows,
    id: string,
    { batchSize, shouldStop, onProgress }: BatchOptions & Pick<DeletionOptions, 'onProgress'>,
  ): TE.TaskEither<StorageError, Deletion & Readonly<{ wasLast: boolean }>> =>
  async () => {
    let rows = 0;
    let retries = 0;
    while (!shouldStop()) {
      const batch = await call(connectionFor(id), Integer, 'delete_rows_of_deleted', id, batchSize)();
      if (E.isLeft(batch)) {
        if (!isConflict(batch.left) || retries === maxRetries) return batch;
        retries += 1;
        continue;
      }
      rows += batch.right;
      onProgress(rows);
      if (batch.right >= batchSize) continue;
      const forgotten = await call(database, nullable(t.boolean), 'forget_tenant', id)();
      if (E.isLeft(forgotten)) return forgotten;
      return E.right({ rows, isGone: true, wasLast: forgotten.right === true });
    }
    return E.right({ rows, isGone: false, wasLast: false });
  };

/** Whether a transaction was rolled back because of a concurrent one. */
const isConflict = (error: StorageError): boolean =>
  error._tag === 'StorageUnavailable' && (hasCode(error.cause, '40P01') || hasCode(error.cause, '40001'));

/** How many expired sessions, and tenants and rows whose deletion was not finished, have been deleted. */
export type Purged = Readonly<{ sessions: number; tenants: number; rows: number }>;

export type PurgeOptions = BatchOptions &
  Readonly<{
    /** Sessions that have expired by then are deleted, but none that is valid now. */
    at: Timestamp;
    /** Called after each batch with what has been deleted so far. */
    onProgress: (purged: Purged) => void;
  }>;

const DeletedTenant = t.strict({ tenant: Identifier }, 'deleted_tenants');

/**
 * Deletes the expired sessions of all tenants, and finishes deletions of tenants that were interrupted, in
 * batches. Several processes can do so at once. Returns what was deleted; `left` if something failed, and
 * what was deleted before stays so. A tenant whose rows cannot be deleted now keeps no other from it.
 */
export const purge =
  (
    database: Asked,
    { at, batchSize, onProgress, shouldStop }: PurgeOptions,
    connectionFor: ConnectionForRows = () => database,
  ): TE.TaskEither<StorageError, Purged> =>
  async () => {
    const sum = { sessions: 0, tenants: 0, rows: 0 };
    const add = (what: keyof Purged, count: number): void => {
      sum[what] += count;
      if (count > 0) onProgress({ ...sum });
    };
    while (!shouldStop()) {
      const sessions = await call(database, Integer, 'purge_sessions', storedTime(at), batchSize)();
      if (E.isLeft(sessions)) return sessions;
      add('sessions', sessions.right);
      if (sessions.right < batchSize) break;
    }
    const deletedTenants = 'SELECT tenant FROM triage.deleted_tenants() AS tenant';
    const found = await rowsOf(database, DeletedTenant, deletedTenants)();
    if (E.isLeft(found)) return found;
    let failure: E.Left<StorageError> | null = null;
    for (const { tenant } of found.right) {
      const before = sum.rows;
      const deleted = await deleteRows(database, connectionFor, tenant, {
        batchSize,
        shouldStop,
        onProgress: (rows) => add('rows', before + rows - sum.rows),
      })();
      if (E.isLeft(deleted)) failure = deleted;
      else if (deleted.right.wasLast) add('tenants', 1);
    }
    return failure ?? E.right(sum);
  };
