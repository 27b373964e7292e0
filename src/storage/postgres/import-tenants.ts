import type pg from 'pg';
import type { TenantRows } from '../../records/dataset.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { emailKey } from '../../records/user.js';
import { hasCode } from './database-error.js';

/** A tenant cannot be added beside those that are there. */
export type Conflict = Readonly<{ userId: string; reason: string }>;

export type ImportOptions = Readonly<{
  /** Tenants of the same id or address give way, with all that is theirs. */
  replace: boolean;
  /** Told after each step, of a tenant, how many of its rows are there. */
  progress: (userId: string, rows: number) => void;
}>;

/** How many rows go in one statement: enough that the way there costs little, and no more than a buffer holds. */
const batchSize = 1000;

/**
 * Adds tenants in one transaction, all of them or none: where there are conflicts, or anything throws, nothing has happened.
 * Rows go in batches, each after the one before has arrived, so that no more than a batch is ever on its way.
 */
export const importTenants = async (
  client: pg.ClientBase,
  tenants: AsyncIterable<TenantRecords> | Iterable<TenantRecords>,
  { replace, progress }: ImportOptions,
): Promise<readonly Conflict[]> => {
  const conflicts: Conflict[] = [];
  await client.query('BEGIN');
  try {
    for await (const tenant of tenants) {
      if (replace) await remove(client, tenant);
      const conflict = await add(client, tenant, progress);
      if (conflict !== null) conflicts.push({ userId: tenant.user.id, reason: conflict });
    }
    await client.query(conflicts.length === 0 ? 'COMMIT' : 'ROLLBACK');
    return conflicts;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

const remove = async (client: pg.ClientBase, { user }: TenantRecords): Promise<void> => {
  await client.query('DELETE FROM triage.users WHERE id = $1 OR email_key = $2', [
    user.id,
    emailKey(user.email),
  ]);
};

/** Adds a tenant, or tells what of it is taken; the transaction goes on either way. */
const add = async (
  client: pg.ClientBase,
  { user, sessions, apiTokens, rows }: TenantRecords,
  progress: ImportOptions['progress'],
): Promise<string | null> => {
  await client.query('SAVEPOINT tenant');
  try {
    const { rows: added } = await client.query('SELECT triage.add_user($1, $2) AS answer', [
      JSON.stringify(user),
      emailKey(user.email),
    ]);
    if (Object(added[0]).answer !== true) return `somebody has the address ${user.email}`;
    for (const session of sessions) {
      await client.query('SELECT triage.add_session($1)', [JSON.stringify(session)]);
    }
    for (const apiToken of apiTokens) {
      await client.query('SELECT triage.add_token($1)', [JSON.stringify(apiToken)]);
    }
    let count = 0;
    for (const [batch, size] of batchesOf(rows)) {
      await client.query('SELECT triage.add_rows($1, $2)', [user.id, JSON.stringify(batch)]);
      count += size;
      progress(user.id, count);
    }
    await client.query('RELEASE SAVEPOINT tenant');
    return null;
  } catch (error) {
    if (!hasCode(error, uniqueViolation)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT tenant');
    return takenIn[String(Object(error).constraint)] ?? 'something of it is there already';
  }
};

const uniqueViolation = '23505';

/** What is taken, by the constraint that says so. */
const takenIn: Readonly<Record<string, string>> = {
  users_pkey: 'there is a user of this id',
  sessions_hash_key: 'somebody has a session of the same value',
  api_tokens_hash_key: 'somebody has the same API token',
};

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;

/** Rows in batches, each of one collection; what refers to others comes after them. */
function* batchesOf(rows: TenantRows): Generator<readonly [Partial<TenantRows>, number]> {
  for (const collection of collections) {
    for (let i = 0; i < rows[collection].length; i += batchSize) {
      const batch = rows[collection].slice(i, i + batchSize);
      yield [{ [collection]: batch }, batch.length];
    }
  }
}
