import * as t from 'io-ts';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { TenantRows } from '../../records/dataset.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { emailKey } from '../../records/user.js';
import type { StorageError } from '../port.js';
import { engineOf } from './citus/engine.js';
import { singleConnection } from './connection.js';
import { withCurrentSchema } from './current-schema.js';
import { databaseError, violatedUniqueConstraint } from './database-error.js';
import { type ImportCalls, importCalls } from './import-calls.js';

/** Why nothing was imported, one line per reason. `hasConflicts`: existing records are among the reasons. */
export type ImportRefused = Readonly<{
  _tag: 'ImportRefused';
  reasons: readonly string[];
  hasConflicts: boolean;
}>;

/** The tenants to import; `left`: why one of them cannot be read. */
export type TenantSource = AsyncIterable<E.Either<readonly string[], TenantRecords>>;

export type ImportOptions = Readonly<{
  /** Replace existing tenants with the same id or e-mail address, with everything that belongs to them. */
  replace: boolean;
  /** Called after each batch with the number of rows of the tenant that are imported. */
  onProgress: (tenant: TenantRecords, rows: number) => void;
}>;

/** Rows per statement: enough to amortize the round trip, few enough to keep memory small. */
const batchSize = 1000;

/** Imports tenants into the database at a URL, whose schema must be current. Returns their number. */
export const importInto = (
  url: string,
  tenants: TenantSource,
  options: ImportOptions,
): TE.TaskEither<StorageError | ImportRefused, number> =>
  pipe(
    withCurrentSchema(url, (client) =>
      pipe(
        importTenants(client, tenants, options),
        TE.tap(() => TE.fromTask(() => vacuumAnalyze(client))),
      ),
    ),
    TE.mapLeft((error) =>
      error._tag === 'WrongSchema'
        ? { _tag: 'ImportRefused', reasons: [error.reason], hasConflicts: false }
        : error,
    ),
  );

/**
 * Imports tenants in one transaction, all of them or none. `left` lists the reasons of every tenant that
 * cannot be read or added. Only one batch of rows is in memory as JSON at a time.
 */
export const importTenants = (
  client: pg.ClientBase,
  tenants: TenantSource,
  options: ImportOptions,
): TE.TaskEither<StorageError | ImportRefused, number> =>
  pipe(
    engineOf(singleConnection(client)),
    TE.flatMap((engine) =>
      TE.tryCatch(() => importInTransaction(client, tenants, options, importCalls[engine]), databaseError),
    ),
    TE.flatMapEither(E.mapLeft((refused): ImportRefused => ({ _tag: 'ImportRefused', ...refused }))),
  );

const importInTransaction = async (
  client: pg.ClientBase,
  tenants: TenantSource,
  { replace, onProgress }: ImportOptions,
  statements: ImportCalls,
): Promise<E.Either<Omit<ImportRefused, '_tag'>, number>> => {
  const reasons: string[] = [];
  let hasConflicts = false;
  let count = 0;
  await client.query('BEGIN');
  try {
    // Serializes concurrent imports: the second one sees the tenants of the first.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('triage-api: fixtures'))");
    // A change of the counts for each row would cost more than counting each tenant once.
    await client.query("SELECT set_config('triage.counts_itself', 'on', true)");
    for await (const tenant of tenants) {
      if (E.isLeft(tenant)) for (const reason of tenant.left) reasons.push(reason);
      else {
        if (replace) await deleteTenant(client, tenant.right, statements);
        const conflict = await addTenant(client, tenant.right, onProgress, statements);
        if (conflict !== null) {
          reasons.push(`${tenant.right.user.id}: ${conflict}`);
          hasConflicts = true;
        }
        count += 1;
      }
    }
    await client.query(reasons.length === 0 ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
  return reasons.length === 0 ? E.right(count) : E.left({ reasons, hasConflicts });
};

/**
 * Updates the planner's statistics and the visibility map, which index-only scans of lists need. Autovacuum
 * would do it later, so errors are ignored.
 */
const vacuumAnalyze = async (client: pg.ClientBase): Promise<void> => {
  const tables = ['repos', 'scans', 'fix_drafts', 'pull_requests', 'lists', 'marks'].map(
    (name) => `triage.${name}`,
  );
  await client.query(`VACUUM (ANALYZE) ${tables.join(', ')}`).catch(() => {});
};

const deleteTenant = async (
  client: pg.ClientBase,
  { user }: TenantRecords,
  { recount, deleteRows }: ImportCalls,
): Promise<void> => {
  const { rows } = await client.query(
    'DELETE FROM triage.users WHERE id = $1 OR email_key = $2 RETURNING id',
    [user.id, emailKey(user.email)],
  );
  for (const { id } of rows) await client.query(deleteRows ?? recount, [id]);
};

/**
 * Adds a tenant; returns the conflict with existing records, if any. The transaction stays usable after a
 * conflict.
 */
const addTenant = async (
  client: pg.ClientBase,
  tenant: TenantRecords,
  onProgress: ImportOptions['onProgress'],
  { addRows, recount }: ImportCalls,
): Promise<string | null> => {
  const { user, sessions, apiTokens, rows } = tenant;
  await client.query('SAVEPOINT tenant');
  try {
    const { rows: added } = await client.query('SELECT triage.add_user($1, $2) AS added', [
      JSON.stringify(user),
      emailKey(user.email),
    ]);
    if (!AddedUser.is(added)) return `the e-mail address ${user.email} is already in use`;
    for (const session of sessions) {
      await client.query('SELECT triage.add_session($1)', [JSON.stringify(session)]);
    }
    for (const apiToken of apiTokens) {
      await client.query('SELECT triage.add_token($1)', [JSON.stringify(apiToken)]);
    }
    let count = 0;
    onProgress(tenant, count);
    for (const [batch, size] of batchesOf(rows)) {
      await client.query(addRows, [user.id, JSON.stringify(batch)]);
      count += size;
      onProgress(tenant, count);
    }
    await client.query(recount, [user.id]);
    await client.query('RELEASE SAVEPOINT tenant');
    return null;
  } catch (error) {
    const constraint = violatedUniqueConstraint(error);
    if (constraint === null) throw error;
    await client.query('ROLLBACK TO SAVEPOINT tenant');
    return conflicts[constraint] ?? 'some of its records exist already';
  }
};

const AddedUser = t.tuple([t.type({ added: t.literal(true) })]);

/** The conflict for each unique constraint. */
const conflicts: Readonly<Record<string, string>> = {
  users_pkey: 'a user with this id exists already',
  sessions_hash_key: 'one of its session values is already in use',
  api_tokens_hash_key: 'one of its API tokens is already in use',
};

/** In the order of their foreign keys. */
const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;

/** Batches of rows of one collection each, and their sizes. */
function* batchesOf(rows: TenantRows): Generator<readonly [Partial<TenantRows>, number]> {
  for (const collection of collections) {
    for (let i = 0; i < rows[collection].length; i += batchSize) {
      const batch = rows[collection].slice(i, i + batchSize);
      yield [{ [collection]: batch }, batch.length];
    }
  }
}
