import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type pg from 'pg';
import type { TenantRows } from '../../records/dataset.js';
import type { TenantRecords } from '../../records/tenant-records.js';
import { emailKey } from '../../records/user.js';
import { type DatabaseError, databaseError, takenConstraint } from './database-error.js';

type ImportProblems = readonly string[];

/** Why nothing was imported, a line for each reason. `isTaken`: what is there already stood in the way. */
export type NotImported = Readonly<{ _tag: 'NotImported'; lines: ImportProblems; isTaken: boolean }>;

export type ImportOptions = Readonly<{
  /** Tenants of the same id or address give way, with all that is theirs. */
  replace: boolean;
  /** Told after each step, of a tenant, how many of its rows are there. */
  progress: (tenant: TenantRecords, rows: number) => void;
}>;

/** How many rows go in one statement: enough that the way there costs little, and no more than a buffer holds. */
const batchSize = 1000;

/**
 * Adds tenants in one transaction: all of them, or, where one is not to be had or not to be added, none; then all that stands
 * in the way is told. Rows go in batches, each after the one before has arrived, so that no more than a batch is on its way.
 */
export const importTenants = (
  client: pg.ClientBase,
  tenants: AsyncIterable<E.Either<ImportProblems, TenantRecords>>,
  options: ImportOptions,
): TE.TaskEither<DatabaseError | NotImported, number> =>
  pipe(
    TE.tryCatch(() => transact(client, tenants, options), databaseError),
    TE.flatMapEither(E.mapLeft((problems): NotImported => ({ _tag: 'NotImported', ...problems }))),
  );

const transact = async (
  client: pg.ClientBase,
  tenants: AsyncIterable<E.Either<ImportProblems, TenantRecords>>,
  { replace, progress }: ImportOptions,
): Promise<E.Either<Omit<NotImported, '_tag'>, number>> => {
  const problems: string[] = [];
  let isTaken = false;
  let count = 0;
  await client.query('BEGIN');
  try {
    // Two imports of the same tenants at once: the second finds what the first has done.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('triage-api: fixtures'))");
    for await (const tenant of tenants) {
      if (E.isLeft(tenant)) problems.push(...tenant.left);
      else {
        if (replace) await remove(client, tenant.right);
        const taken = await add(client, tenant.right, progress);
        if (taken !== null) {
          problems.push(`${tenant.right.user.id}: ${taken}`);
          isTaken = true;
        }
        count += 1;
      }
    }
    await client.query(problems.length === 0 ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
  return problems.length === 0 ? E.right(count) : E.left({ lines: problems, isTaken });
};

/**
 * Tells the planner of what has come, and marks pages as seen by all, so that lists are read from their indexes alone. Not
 * needed, since the server does so itself after a while; what comes of it is nobody's concern.
 */
export const tidy = async (client: pg.ClientBase): Promise<void> => {
  const tables = ['repos', 'repo_facts', 'scans', 'fix_drafts', 'pull_requests'].map(
    (name) => `triage.${name}`,
  );
  await client.query(`VACUUM (ANALYZE) ${tables.join(', ')}`).catch(() => {});
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
  tenant: TenantRecords,
  progress: ImportOptions['progress'],
): Promise<string | null> => {
  const { user, sessions, apiTokens, rows } = tenant;
  await client.query('SAVEPOINT tenant');
  try {
    const { rows: added } = await client.query('SELECT triage.add_user($1, $2) AS answer', [
      JSON.stringify(user),
      emailKey(user.email),
    ]);
    if (!Added.is(added)) return `somebody has the address ${user.email} already`;
    for (const session of sessions) {
      await client.query('SELECT triage.add_session($1)', [JSON.stringify(session)]);
    }
    for (const apiToken of apiTokens) {
      await client.query('SELECT triage.add_token($1)', [JSON.stringify(apiToken)]);
    }
    let count = 0;
    progress(tenant, count);
    for (const [batch, size] of batchesOf(rows)) {
      await client.query('SELECT triage.add_rows($1, $2)', [user.id, JSON.stringify(batch)]);
      count += size;
      progress(tenant, count);
    }
    await client.query('RELEASE SAVEPOINT tenant');
    return null;
  } catch (error) {
    const constraint = takenConstraint(error);
    if (constraint === null) throw error;
    await client.query('ROLLBACK TO SAVEPOINT tenant');
    return takenIn[constraint] ?? 'something of it is there already';
  }
};

const Added = t.tuple([t.type({ answer: t.literal(true) })]);

/** What is taken, by the constraint that says so. */
const takenIn: Readonly<Record<string, string>> = {
  users_pkey: 'there is a user of this id already',
  sessions_hash_key: 'somebody has a session of the same value already',
  api_tokens_hash_key: 'somebody has the same API token already',
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
