import * as t from 'io-ts';
import pg from 'pg';
import * as E from '#fp-ts/Either';
import { emailKey, RecordCounts, type TenantRecords, type UserRecord } from '../accounts/account-records.js';
import type { StorageError } from '../api/storage-port.js';
import { nearest } from '../common/messages.js';
import { nullable } from '../contract/codecs/combinators.js';
import { Identifier, Integer } from '../contract/codecs/text-and-numbers.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import { type ConnectionForRows, type Database, databaseError, hasCode, type Outcome } from './database.js';
import { searchKey } from './queries.js';
import { inSchema, namesOf, rowTables, type UnsuitableDatabase, withCurrentSchema } from './schema.js';
import {
  apiTokenColumns,
  call,
  columnOf,
  decodeResult,
  repoOfDrafts,
  rowsOf,
  sessionColumns,
  storedTime,
  toColumnsOfRows,
  userColumns,
} from './stored-records.js';

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
export const findTenant = async (database: Database, idOrEmail: string): Outcome<Tenant, TenantNotFound> => {
  const tenants = await rowsOf(
    database,
    Tenant,
    `SELECT id, email, deleted_at IS NOT NULL AS "isDeleted" FROM triage.users
     WHERE id = $1 OR email_key = $2 ORDER BY id`,
    searchKey(idOrEmail),
    searchKey(emailKey(idOrEmail)),
  );
  if (E.isLeft(tenants)) return tenants;
  const [first, second] = tenants.right;
  if (first === undefined) return unknownTenant(database, idOrEmail);
  if (second === undefined) return E.right(first);
  return E.left({ _tag: 'AmbiguousTenant', ids: tenants.right.map(({ id }) => id) });
};

/** Compares the text with some ids and addresses of about its length, to find out which one was meant. */
const unknownTenant = async (database: Database, idOrEmail: string): Outcome<never, TenantNotFound> => {
  const names = await namesOf(
    database,
    `SELECT known.name FROM triage.users, unnest(ARRAY[id::text, email_key]) AS known (name)
     WHERE abs(char_length(known.name) - $1) <= 3 LIMIT 10000`,
    idOrEmail.length,
  );
  if (E.isLeft(names)) return names;
  return E.left({ _tag: 'UnknownTenant', nearest: nearest(idOrEmail, names.right) });
};

/** Counts the records of a tenant, table by table: Citus has some on a worker. */
export const countRecords = async (database: Database, { id }: Tenant): Outcome<RecordCounts> => {
  const counts: Record<string, unknown> = {};
  for (const name of Object.keys(RecordCounts.type.props)) {
    const text = `SELECT count(*)::integer AS count FROM triage.${columnOf(name)} WHERE user_id = $1`;
    const rows = await database.query({ text, values: [id] });
    if (E.isLeft(rows)) return rows;
    counts[name] = Object(rows.right[0]).count;
  }
  return decodeResult(RecordCounts, 'record counts')(counts);
};

type BatchOptions<Progress> = Readonly<{
  /** The most rows of a transaction: enough to amortize the commit, so few that nobody waits long. */
  batchSize?: number;
  /** Asked before each batch. */
  shouldStop: () => boolean;
  /** Called after each batch with what has been deleted so far. */
  onProgress: (deleted: Progress) => void;
}>;

const defaultBatchSize = 10_000;

/** Locks a tenant out and deletes it in batches. Another call, or `db purge`, continues what was stopped. */
export const deleteTenant = async (database: Database, { id }: Tenant, options: BatchOptions<number>) => {
  const lockedOut = await call(database, t.boolean, 'delete_account', id);
  return E.isLeft(lockedOut) ? lockedOut : deleteRows(database, () => database, id, options);
};

/** How often a batch that lost a deadlock or a serialization conflict is tried again. */
const maxRetries = 10;

/**
 * How many rows were deleted, and whether nothing of the tenant is left: else the deletion was stopped.
 * `wasLast`: this call has deleted the tenant itself, rather than another one, or an import.
 */
const deleteRows = async (
  database: Database,
  connectionFor: ConnectionForRows,
  id: string,
  { batchSize = defaultBatchSize, shouldStop, onProgress }: BatchOptions<number>,
): Outcome<Readonly<{ rows: number; isGone: boolean; wasLast: boolean }>> => {
  let rows = 0;
  let retries = 0;
  while (!shouldStop()) {
    const batch = await call(connectionFor(id), Integer, 'delete_rows_of_deleted', id, batchSize);
    if (E.isLeft(batch)) {
      if (!isConflict(batch.left) || retries === maxRetries) return batch;
      retries += 1;
      continue;
    }
    rows += batch.right;
    onProgress(rows);
    if (batch.right >= batchSize) continue;
    const forgotten = await call(database, nullable(t.boolean), 'forget_tenant', id);
    if (E.isLeft(forgotten)) return forgotten;
    return E.right({ rows, isGone: true, wasLast: forgotten.right === true });
  }
  return E.right({ rows, isGone: false, wasLast: false });
};

/** Whether a transaction was rolled back because of a concurrent one. */
const isConflict = (error: StorageError): boolean =>
  error._tag === 'StorageUnavailable' && hasCode(error.cause, '40P01', '40001');

/** How many expired sessions, and tenants and rows whose deletion was not finished, have been deleted. */
export type Purged = Readonly<{ sessions: number; tenants: number; rows: number }>;

/** Sessions that have expired at a moment are deleted, but none that is valid now. */
export type PurgeOptions = BatchOptions<Purged> & Readonly<{ at: Timestamp }>;

const DeletedTenant = t.strict({ tenant: Identifier }, 'deleted_tenants');

/**
 * Deletes expired sessions, and finishes interrupted deletions of tenants, in batches. Several processes can
 * do so at once. A tenant whose rows cannot be deleted now keeps no other from it; `left`: something failed.
 */
export const purge = async (
  database: Database,
  { at, batchSize = defaultBatchSize, onProgress, shouldStop }: PurgeOptions,
  connectionFor: ConnectionForRows = () => database,
): Outcome<Purged> => {
  const sum = { sessions: 0, tenants: 0, rows: 0 };
  const add = (what: keyof Purged, count: number): void => {
    sum[what] += count;
    if (count > 0) onProgress({ ...sum });
  };
  while (!shouldStop()) {
    const sessions = await call(database, Integer, 'purge_sessions', storedTime(at), batchSize);
    if (E.isLeft(sessions)) return sessions;
    add('sessions', sessions.right);
    if (sessions.right < batchSize) break;
  }
  const deletedTenants = 'SELECT tenant FROM triage.deleted_tenants() AS tenant';
  const tenants = await rowsOf(database, DeletedTenant, deletedTenants);
  if (E.isLeft(tenants)) return tenants;
  let failure: E.Left<StorageError> | null = null;
  for (const { tenant } of tenants.right) {
    const before = sum.rows;
    const deleted = await deleteRows(database, connectionFor, tenant, {
      batchSize,
      shouldStop,
      onProgress: (rows) => add('rows', before + rows - sum.rows),
    });
    if (E.isLeft(deleted)) failure = deleted;
    else if (deleted.right.wasLast) add('tenants', 1);
  }
  return failure ?? E.right(sum);
};

/** Why nothing was imported, one line per reason. `hasConflicts`: existing records are among the reasons. */
type ImportRefused = Readonly<{
  _tag: 'ImportRefused';
  reasons: readonly string[];
  hasConflicts: boolean;
}>;

/** The connection was lost while tenants were committed: they are imported, or they are not. */
type OutcomeUnknown = Readonly<{ _tag: 'OutcomeUnknown'; cause: unknown }>;

/** The tenants to import; `left`: why one of them cannot be read. */
type TenantSource = AsyncIterable<E.Either<readonly string[], TenantRecords>>;

type ImportOptions = Readonly<{
  /** Replace existing tenants with the same id or e-mail address, with everything that belongs to them. */
  replace: boolean;
  /** Called after each batch with the number of rows of the tenant that are imported. */
  onProgress: (tenant: TenantRecords, rows: number) => void;
  /** How long to wait for a lock, in ms: a role can take one for good, and must not stop imports for ever. */
  lockTimeout?: number;
}>;

/** Rows per statement: enough to amortize the round trip, few enough to keep memory small. */
const rowsPerStatement = 1000;

/** Imports tenants into the database at a URL, whose schema must be current. Returns their number. */
export const importInto = (
  url: string,
  tenants: TenantSource,
  options: ImportOptions,
): Outcome<number, UnsuitableDatabase | ImportRefused | OutcomeUnknown> =>
  withCurrentSchema(url, async (client) => {
    const count = await importTenants(client, tenants, options);
    // For the planner's statistics and the index-only scans of lists. Autovacuum would do it later.
    if (E.isRight(count)) await client.query(`VACUUM (ANALYZE) ${inSchema(...rowTables)}`).catch(() => {});
    return count;
  });

/** Imports tenants in one transaction, all or none. Only one batch of rows is in memory as JSON at a time. */
export const importTenants = async (
  client: pg.ClientBase,
  tenants: TenantSource,
  { replace, onProgress, lockTimeout = 600_000 }: ImportOptions,
): Outcome<number, ImportRefused | OutcomeUnknown> => {
  const reasons: string[] = [];
  const accounts: Account[] = [];
  let hasConflicts = false;
  let isCommitting = false;
  /** Runs a part of the import of a tenant. The transaction stays usable if that conflicts with records. */
  const attempt = async ({ id, email }: UserRecord, work: () => Promise<void>): Promise<void> => {
    await client.query('SAVEPOINT tenant');
    try {
      await work();
      await client.query('RELEASE SAVEPOINT tenant');
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !hasCode(error, '23505')) throw error;
      await client.query('ROLLBACK TO SAVEPOINT tenant');
      reasons.push(
        `${id}: ${conflictOf(email)[error.constraint ?? ''] ?? 'some of its records exist already'}`,
      );
      hasConflicts = true;
    }
  };
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('lock_timeout', $1, true)", [`${lockTimeout}ms`]);
    // Serializes concurrent imports: the second one sees the tenants of the first.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('triage-api: fixtures'))");
    for await (const tenant of tenants) {
      if (E.isLeft(tenant)) {
        for (const reason of tenant.left) reasons.push(reason);
        continue;
      }
      const { user, sessions, apiTokens } = tenant.right;
      await attempt(user, async () => {
        const account = { user, sessions, apiTokens, others: await makeRoom(client, user, replace) };
        if (!replace) await setAccount(client, account);
        await addRows(client, tenant.right, onProgress);
        accounts.push(account);
      });
    }
    // Logins of a tenant wait as soon as its account is replaced, so all rows are written before.
    if (replace)
      for (const account of accounts) await attempt(account.user, () => setAccount(client, account));
    isCommitting = reasons.length === 0;
    await client.query(isCommitting ? 'COMMIT' : 'ROLLBACK');
    if (reasons.length > 0) return E.left({ _tag: 'ImportRefused', reasons, hasConflicts });
    return E.right(accounts.length);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    const failure = databaseError(error);
    const isUnknown = isCommitting && failure._tag === 'StorageUnavailable';
    return E.left(isUnknown ? { ...failure, _tag: 'OutcomeUnknown' } : failure);
  }
};

/** What of a tenant is kept until all rows are written; `others`: who had its address. */
type Account = Omit<TenantRecords, 'rows'> & Readonly<{ others: readonly string[] }>;

/** The conflict for each unique constraint. */
const conflictOf = (email: string): Readonly<Record<string, string>> => ({
  users_pkey: 'a user with this id exists already',
  users_email_key_key: `the e-mail address ${email} is already in use`,
  sessions_hash_key: 'one of its session values is already in use',
  api_tokens_hash_key: 'one of its API tokens is already in use',
});

const accountColumns = (user: UserRecord) => ({ ...userColumns(user), email_key: emailKey(user.email) });

/**
 * Adds the user of a tenant, unless it is replaced, and deletes the rows of those who are, the one with its
 * id and the one with its address. Their accounts stay as they are; returns the id of the second one.
 */
const makeRoom = async (
  client: pg.ClientBase,
  user: UserRecord,
  replace: boolean,
): Promise<readonly string[]> => {
  const account = accountColumns(user);
  // This lock keeps accounts from being deleted, and lets logins through.
  const { rows } = await client.query(
    'SELECT id FROM triage.users WHERE $1 AND (id = $2 OR email_key = $3) ORDER BY id FOR KEY SHARE',
    [replace, user.id, account.email_key],
  );
  const replaced = rows.map(({ id }) => String(id));
  for (const id of replaced)
    for (const table of rowTables.toReversed())
      await client.query(`DELETE FROM triage.${table} WHERE user_id = $1`, [id]);
  const others = replaced.filter((id) => id !== user.id);
  // As long as somebody else has the address, the new user is one without, as if it was deleted.
  const row = others.length === 0 ? account : { ...account, email_key: null, deleted_at: 'now' };
  if (replaced.length === others.length) await insert(client, 'users', [row]);
  return others;
};

const addRows = async (
  client: pg.ClientBase,
  tenant: TenantRecords,
  onProgress: ImportOptions['onProgress'],
): Promise<void> => {
  const { user, rows } = tenant;
  let count = 0;
  onProgress(tenant, count);
  const repoOf = repoOfDrafts(rows);
  for (const collection of collections)
    for (let i = 0; i < rows[collection].length; i += rowsPerStatement) {
      const batch = rows[collection].slice(i, i + rowsPerStatement);
      const columns = toColumnsOfRows({ [collection]: batch }, repoOf);
      await client.query('SELECT triage.add_rows($1, $2)', [user.id, columns]);
      count += batch.length;
      onProgress(tenant, count);
    }
};

/** Sets the account of a tenant whose rows are written, with its sessions and tokens alone. */
const setAccount = async (
  client: pg.ClientBase,
  { user, sessions, apiTokens, others }: Account,
): Promise<void> => {
  await client.query('DELETE FROM triage.users WHERE id = ANY ($1)', [others]);
  await client.query(
    `UPDATE triage.users u SET email = n.email, email_key = n.email_key, name = n.name,
       password_hash = n.password_hash, signed_up_at = NULL, deleted_at = NULL
     FROM json_populate_record(NULL::triage.users, $1) n WHERE u.id = n.id`,
    [accountColumns(user)],
  );
  for (const [table, records] of [
    ['sessions', sessions.map(sessionColumns)],
    ['api_tokens', apiTokens.map(apiTokenColumns)],
  ] as const) {
    await client.query(`DELETE FROM triage.${table} WHERE user_id = $1`, [user.id]);
    await insert(client, table, records);
  }
};

const insert = (client: pg.ClientBase, table: string, records: readonly object[]) =>
  client.query(
    `INSERT INTO triage.${table} SELECT * FROM json_populate_recordset(NULL::triage.${table}, $1)`,
    [JSON.stringify(records)],
  );

/** In the order of their foreign keys. */
const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;
