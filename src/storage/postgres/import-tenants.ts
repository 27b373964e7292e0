import pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { TenantRows } from '../../records/dataset.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { emailKey } from '../../records/user.js';
import type { StorageError } from '../port.js';
import { databaseError } from './database.js';
import { rowTables } from './roles.js';
import { withCurrentSchema } from './schema.js';
import { repoOfDrafts, toColumns, toColumnsOfRows } from './stored-records.js';

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
  { replace, onProgress }: ImportOptions,
): TE.TaskEither<StorageError | ImportRefused, number> =>
  pipe(
    TE.tryCatch(async () => {
      const reasons: string[] = [];
      let hasConflicts = false;
      let count = 0;
      await client.query('BEGIN');
      try {
        // Serializes concurrent imports: the second one sees the tenants of the first.
        await client.query("SELECT pg_advisory_xact_lock(hashtext('triage-api: fixtures'))");
        for await (const tenant of tenants) {
          if (E.isLeft(tenant)) {
            for (const reason of tenant.left) reasons.push(reason);
            continue;
          }
          if (replace) await removeTenant(client, tenant.right);
          const conflict = await addTenant(client, tenant.right, onProgress);
          if (conflict !== null) reasons.push(`${tenant.right.user.id}: ${conflict}`);
          hasConflicts ||= conflict !== null;
          count += 1;
        }
        await client.query(reasons.length === 0 ? 'COMMIT' : 'ROLLBACK');
        return reasons.length === 0
          ? E.right(count)
          : E.left<ImportRefused>({ _tag: 'ImportRefused', reasons, hasConflicts });
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {});
        throw error;
      }
    }, databaseError),
    TE.flatMapEither((result) => result),
  );

/**
 * Updates the planner's statistics and the visibility map, which index-only scans of lists need. Autovacuum
 * would do it later, so errors are ignored.
 */
const vacuumAnalyze = async (client: pg.ClientBase): Promise<void> => {
  const tables = rowTables.map((name) => `triage.${name}`).join(', ');
  await client.query(`VACUUM (ANALYZE) ${tables}`).catch(() => {});
};

/** Deletes the tenant with the same id and the one with the same address. */
const removeTenant = async (client: pg.ClientBase, { user }: TenantRecords): Promise<void> => {
  const { rows } = await client.query(
    'SELECT id FROM triage.users WHERE id = $1 OR email_key = $2 ORDER BY id FOR UPDATE',
    [user.id, emailKey(user.email)],
  );
  for (const { id } of rows) {
    for (const table of rowTables.toReversed())
      await client.query(`DELETE FROM triage.${table} WHERE user_id = $1`, [id]);
    await client.query('DELETE FROM triage.users WHERE id = $1', [id]);
  }
};

/** Adds a tenant, or returns its conflict with existing records. The transaction stays usable after one. */
const addTenant = async (
  client: pg.ClientBase,
  tenant: TenantRecords,
  onProgress: ImportOptions['onProgress'],
): Promise<string | null> => {
  const { user, sessions, apiTokens, rows } = tenant;
  await client.query('SAVEPOINT tenant');
  try {
    const { rowCount } = await client.query(
      'INSERT INTO triage.users SELECT * FROM json_populate_record(NULL::triage.users, $1) ' +
        'ON CONFLICT ON CONSTRAINT users_email_key_key DO NOTHING',
      [JSON.stringify({ ...toColumns(user), email_key: emailKey(user.email) })],
    );
    if (rowCount === 0) return `the e-mail address ${user.email} is already in use`;
    for (const [table, records] of Object.entries({ sessions, api_tokens: apiTokens }))
      await client.query(
        `INSERT INTO triage.${table} SELECT * FROM json_populate_recordset(NULL::triage.${table}, $1)`,
        [JSON.stringify(records.map(toColumns))],
      );
    let count = 0;
    onProgress(tenant, count);
    const repoOf = repoOfDrafts(rows);
    for (const [batch, size] of batchesOf(rows)) {
      await client.query(addRows, [user.id, toColumnsOfRows(batch, repoOf)]);
      count += size;
      onProgress(tenant, count);
    }
    await client.query('RELEASE SAVEPOINT tenant');
    return null;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '23505') throw error;
    await client.query('ROLLBACK TO SAVEPOINT tenant');
    return conflictOf[error.constraint ?? ''] ?? 'some of its records exist already';
  }
};

/** The conflict for each unique constraint. */
const conflictOf: Readonly<Record<string, string>> = {
  users_pkey: 'a user with this id exists already',
  sessions_hash_key: 'one of its session values is already in use',
  api_tokens_hash_key: 'one of its API tokens is already in use',
};

const addRows = 'SELECT triage.add_rows($1, $2)';

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
