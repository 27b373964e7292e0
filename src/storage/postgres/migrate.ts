import { readFile } from 'node:fs/promises';
import * as t from 'io-ts';
import pg from 'pg';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { StorageError } from '../port.js';
import { CitusRefused, distribute, requireCitus } from './citus-schema.js';
import { databaseError, hasCode, singleConnection } from './database.js';
import type { WatchLocks } from './lock-waits.js';
import {
  closeDatabase,
  grantRights,
  type RoleNames,
  type RoleReport,
  RolesRefused,
  rolesInUse,
  setUpRoles,
  takeOwnership,
} from './roles.js';
import {
  distributed,
  isDistributed,
  migrationNames,
  migrationsFolder,
  type SchemaState,
  schemaProblem,
  schemaState,
} from './schema.js';
import { decodeResult } from './stored-records.js';

/** The database cannot be migrated; `reason` is a message for people. */
export type UnsuitableDatabase = Readonly<{ _tag: 'UnsuitableDatabase'; reason: string }>;

export type MigrateOptions = Readonly<{
  /**
   * How long a statement may wait for a lock, in milliseconds. Requests for the same table queue behind it
   * for that long; then all is rolled back and tried again later.
   */
  lockTimeout: number;
  /** How long to wait before each further attempt, in milliseconds. */
  pauses: readonly number[];
  /** The roles to set up; null leaves the set of roles as it is. */
  roles: RoleNames | null;
  /** Distributes the schema to the workers of Citus; one that is distributed stays so. */
  citus: boolean;
  /** The folder of the migrations. */
  folder: string;
  /** Receives lines for people: what is done about roles, what is waited for, warnings of the database. */
  onEvent: (event: MigrateEvent) => void;
  /** Reports what locks are waited for. */
  watchLocks: WatchLocks;
}>;

export type MigrateEvent = Readonly<{ _tag: 'Done' | 'Waiting' | 'Warning'; text: string }>;

/**
 * Shorter than the timeout of a request, so that requests survive the wait, and than the time after which
 * PostgreSQL looks for deadlocks, so that the migration gives way and never a request.
 */
export const defaultLockTimeout = 500;

const defaults: MigrateOptions = {
  lockTimeout: defaultLockTimeout,
  // About a minute and a half in all.
  pauses: [500, 1000, 2000, 4000, ...Array.from({ length: 10 }, () => 8000)],
  roles: null,
  citus: false,
  folder: migrationsFolder,
  onEvent: () => {},
  watchLocks: () => async () => {},
};

const Encoding = t.strict({ server_encoding: t.string }, 'server_encoding');

const unsuitable = (reason: string): UnsuitableDatabase => ({ _tag: 'UnsuitableDatabase', reason });

/**
 * Applies the missing migrations, all or none, and returns their names. Concurrent runs wait for each other,
 * and the later ones find nothing to do.
 */
export const migrate = (
  client: pg.Client,
  given: Partial<MigrateOptions> = {},
): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
  const options = { ...defaults, ...given };
  const database = singleConnection(client);
  return pipe(
    database.query({ text: 'SHOW server_encoding', values: [] }),
    TE.flatMapEither(([row]) => decodeResult(Encoding, 'server_encoding')(row)),
    TE.flatMapEither(
      ({ server_encoding: encoding }): E.Either<StorageError | UnsuitableDatabase, void> =>
        encoding === 'UTF8'
          ? E.right(undefined)
          : E.left(unsuitable(`the encoding of the database is ${encoding}; it must be UTF8`)),
    ),
    TE.flatMap(() => schemaState(database, () => migrationNames(options.folder))),
    TE.flatMap((state) =>
      pipe(
        isComplete(client, state, options),
        TE.flatMap((complete) => migrateFrom(client, state, complete, options)),
      ),
    ),
  );
};

/** Whether nothing is missing. The right to read the table of migrations is enough to find that out. */
const isComplete = (
  client: pg.Client,
  state: SchemaState,
  { citus }: MigrateOptions,
): TE.TaskEither<StorageError, boolean> => {
  if (state._tag !== 'Current') return TE.right(false);
  return citus ? isDistributed(singleConnection(client)) : TE.right(true);
};

const migrateFrom = (
  client: pg.Client,
  state: SchemaState,
  complete: boolean,
  options: MigrateOptions,
): TE.TaskEither<StorageError | UnsuitableDatabase, readonly string[]> => {
  const problem = state._tag === 'Newer' || state._tag === 'Unreleased' ? schemaProblem(state) : null;
  if (problem !== null) return TE.left(unsuitable(problem));
  if (complete && options.roles === null) return TE.right([]);
  return pipe(
    TE.tryCatch(
      () => applyPatiently(client, options),
      (error) =>
        error instanceof RolesRefused || error instanceof CitusRefused
          ? unsuitable(error.message)
          : databaseError(error),
    ),
    TE.map(({ migrations, roles }) => {
      for (const text of roles.done) options.onEvent({ _tag: 'Done', text });
      return migrations;
    }),
  );
};

/** Tries again when a lock was not to be had in time. */
const applyPatiently = async (client: pg.Client, options: MigrateOptions): Promise<Applied> => {
  const { pauses, onEvent, watchLocks } = options;
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const warnings = new Set<string>();
  const note = ({
    severity,
    message,
  }: Readonly<{ severity?: string | undefined; message?: string | undefined }>): void => {
    if (severity === 'WARNING' && message !== undefined) warnings.add(message);
  };
  const noted = (applied: Applied): Applied => {
    for (const text of applied.roles.warnings) warnings.add(text);
    return applied;
  };
  const told = new Set<string>();
  const tell = (text: string): void => {
    if (!told.has(text)) onEvent({ _tag: 'Waiting', text });
    told.add(text);
  };
  client.on('notice', note);
  const stopWatching = watchLocks(Number(rows[0].pid), tell);
  try {
    for (const pause of pauses) {
      const applied = await attempt(client, options);
      if (applied !== null) return noted(applied);
      onEvent({
        _tag: 'Waiting',
        text: `no lock within ${options.lockTimeout} ms; nothing has changed; trying again in ${pause / 1000} s`,
      });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return noted(await apply(client, options));
  } finally {
    await stopWatching();
    client.off('notice', note);
    for (const text of warnings) onEvent({ _tag: 'Warning', text });
  }
};

/** Null: a lock was not to be had in time, or a deadlock made this transaction give way. */
const attempt = async (client: pg.Client, options: MigrateOptions): Promise<Applied | null> => {
  try {
    return await apply(client, options);
  } catch (error) {
    if (hasCode(error, '55P03') || hasCode(error, '40P01')) return null;
    throw error;
  }
};

/** The names of the migrations that were applied, and what was done about roles. */
type Applied = Readonly<{ migrations: readonly string[]; roles: RoleReport }>;

/** The lock that concurrent runs wait for. */
const migrationLock = '7241865325823964';

/** Applies the missing migrations in one transaction, and with them what concerns roles: all of it or nothing. */
const apply = async (client: pg.ClientBase, options: MigrateOptions): Promise<Applied> => {
  // At another level, a run that has waited for a concurrent one would not see what that has done.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    // A run that waits here holds nothing that others need, so it may wait as long as it takes.
    await client.query('SET LOCAL lock_timeout = 0');
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`);
    // Nothing that a migration names without its schema is looked up anywhere else.
    await client.query('SET LOCAL search_path = pg_catalog, pg_temp');
    const applied = await applyInTransaction(client, options);
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

const applyInTransaction = async (
  client: pg.ClientBase,
  { roles: wanted, lockTimeout, citus, folder }: MigrateOptions,
): Promise<Applied> => {
  const wasDistributed = await isDistributedNow(client);
  if (citus || wasDistributed) await requireCitus(client);
  await stopVacuum(client, lockTimeout);
  // If roles were set up before, they get their rights to what the migrations create.
  const names = wanted ?? (await rolesInUse(client));
  const done = wanted === null ? [] : await setUpRoles(client, wanted);
  await createSchema(client);
  // Citus connects to the workers as the current role, and the owner of the schema may be unable to log in.
  if (!citus && !wasDistributed) await actAsOwner(client);
  await client.query(
    'CREATE TABLE IF NOT EXISTS triage.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await client.query('SELECT name FROM triage.migrations');
  const migrations = (await migrationNames(folder)).filter((name) => !rows.some((row) => row.name === name));
  // Whether the schema is new or not, the workers get what they need of it when its tables are distributed.
  if (citus && !wasDistributed) await client.query('SET LOCAL citus.enable_ddl_propagation = off');
  for (const name of migrations) {
    await applyMigration(client, folder, name);
    await client.query('INSERT INTO triage.migrations (name) VALUES ($1)', [name]);
  }
  if (citus && !wasDistributed) {
    await distribute(client);
    await client.query('INSERT INTO triage.migrations (name) VALUES ($1)', [distributed]);
    migrations.push(distributed);
  }
  if (migrations.length === 0 && wanted === null) return { migrations, roles: { done, warnings: [] } };
  if (names !== null) {
    if (citus || wasDistributed) await takeOwnership(client, names, { name: 'current_user' });
    await grantRights(client, names, citus || wasDistributed);
  }
  await client.query('RESET ROLE');
  const closed = await closeDatabase(client);
  return { migrations, roles: { done: [...done, ...closed.done], warnings: closed.warnings } };
};

const isDistributedNow = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows: found } = await client.query("SELECT to_regclass('triage.migrations') IS NOT NULL AS found");
  if (found[0].found !== true) return false;
  const { rows } = await client.query('SELECT FROM triage.migrations WHERE name = $1', [distributed]);
  return rows.length > 0;
};

/** PostgreSQL cancels an autovacuum that somebody has waited for during its `deadlock_timeout`, a second. */
const vacuumTimeout = 3000;

/**
 * Takes a lock that conflicts with vacuuming and with nothing that reads or writes, so that this wait may be
 * longer than the others.
 */
const stopVacuum = async (client: pg.ClientBase, lockTimeout: number): Promise<void> => {
  await limitLockWaits(client, Math.max(lockTimeout, vacuumTimeout));
  const { rows } = await client.query(
    `SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) AS tables FROM pg_class c
     WHERE c.relnamespace = to_regnamespace('triage') AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')`,
  );
  const { tables } = rows[0];
  if (tables !== null) await client.query(`LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`);
  await limitLockWaits(client, lockTimeout);
};

const limitLockWaits = async (client: pg.ClientBase, milliseconds: number): Promise<void> => {
  await client.query("SELECT set_config('lock_timeout', $1, true)", [`${milliseconds}ms`]);
};

/** `CREATE SCHEMA IF NOT EXISTS` would take the right to create one even where there is one. */
const createSchema = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query("SELECT to_regnamespace('triage') IS NULL AS missing");
  if (rows[0].missing === true) await client.query('CREATE SCHEMA triage');
};

/** What a migration creates belongs to the owner of the schema, whichever of its members runs it. */
const actAsOwner = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query(
    `SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace
     WHERE nspname = 'triage' AND pg_get_userbyid(nspowner) <> current_user AND pg_has_role(nspowner, 'MEMBER')`,
  );
  const [schema] = rows;
  if (schema !== undefined) await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(schema.owner)}`);
};

const applyMigration = async (client: pg.ClientBase, folder: string, name: string): Promise<void> => {
  try {
    await client.query(await readFile(`${folder}/${name}.sql`, 'utf8'));
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
};
