import { readFile } from 'node:fs/promises';
import pg from 'pg';
import * as E from '#fp-ts/Either';
import { pause } from '../../common/timers.js';
import { distribute, requireCitus, runScript } from './citus.js';
import { databaseError, hasCode, type Outcome, singleConnection } from './database.js';
import {
  distributed,
  migrationNames,
  migrationsFolder,
  namesOf,
  Refused,
  schemaProblem,
  schemaState,
  type UnsuitableDatabase,
  unsuitable,
} from './schema.js';

/** What a migration does, waits for or warns of, as a line for people. */
export type MigrateEvent = Readonly<{ _tag: 'Done' | 'Waiting' | 'Warning'; text: string }>;

export type MigrateOptions = Readonly<{
  /** How long a statement, and requests behind it, may wait for a lock, in ms. Then all is tried again. */
  lockTimeout: number;
  /** How long to wait for a concurrent run, in milliseconds. */
  migrationTimeout: number;
  /** How long to wait before each further attempt, in milliseconds. */
  pauses: readonly number[];
  /** The prefix of the roles to set up, which `roles.sql` names; null leaves the set of roles as it is. */
  roles: string | null;
  /** Distributes the schema to the workers of Citus; one that is distributed stays so. */
  citus: boolean;
  /** The folder of the migrations. */
  folder: string;
  /** Receives lines for people: what is done about roles, what is waited for, warnings of the database. */
  onEvent: (event: MigrateEvent) => void;
}>;

/**
 * Shorter than the timeout of a request, so that requests survive the wait, and than the time after which
 * PostgreSQL looks for deadlocks, so that the migration gives way and never a request.
 */
export const defaultLockTimeout = 500;

/** The prefix of role names where none is chosen. Databases of one server that share no logins need two. */
export const defaultRolePrefix = 'triage';

/** The SQLSTATE of messages of `roles.sql` for people. */
const rolesMessage = 'TRIAG';

const defaults: MigrateOptions = {
  lockTimeout: defaultLockTimeout,
  migrationTimeout: 600_000,
  // About a minute and a half in all.
  pauses: [500, 1000, 2000, 4000, ...Array.from({ length: 10 }, () => 8000)],
  roles: null,
  citus: false,
  folder: migrationsFolder,
  onEvent: () => {},
};

type Migrated = Outcome<readonly string[], UnsuitableDatabase>;

/** Applies the missing migrations, all or none. Returns their names. Concurrent runs wait for each other. */
export const migrate = async (client: pg.Client, given: Partial<MigrateOptions> = {}): Migrated => {
  const options = { ...defaults, ...given };
  const database = singleConnection(client);
  const encodings = await namesOf(database, "SELECT current_setting('server_encoding') AS name");
  if (E.isLeft(encodings)) return encodings;
  const [encoding] = encodings.right;
  if (encoding !== 'UTF8') return unsuitable(`the encoding of the database is ${encoding}; it must be UTF8`);
  const state = await schemaState(database, migrationNames(options.folder));
  if (E.isLeft(state)) return state;
  if (state.right?._tag === 'SchemaNewer') return unsuitable(schemaProblem(state.right) ?? '');
  // The right to read the table of migrations is enough to find that there is nothing to do.
  const isComplete = state.right === null && options.roles === null && !options.citus;
  return isComplete ? E.right([]) : applyMissing(client, options);
};

/** Applies what is missing, and tells what the database says about it, each line once. */
const applyMissing = async (client: pg.Client, options: MigrateOptions): Migrated => {
  // The server ends a statement whose program was killed, and frees its locks. Not every platform can tell.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => {});
  const told = new Map<string, MigrateEvent['_tag']>();
  client.on('notice', ({ severity, code, message = '' }) => {
    if (severity === 'WARNING') told.set(message, 'Warning');
    else if (code === rolesMessage) told.set(message, 'Done');
  });
  const tell = (isDone: boolean): void => {
    for (const [text, _tag] of told) if (isDone || _tag === 'Warning') options.onEvent({ _tag, text });
  };
  try {
    const applied = await applyPatiently(client, options, options.pauses);
    tell(true);
    return E.right(applied);
  } catch (error) {
    tell(false);
    const isRefused = error instanceof Error && (error instanceof Refused || hasCode(error, rolesMessage));
    return isRefused ? unsuitable(error.message) : E.left(databaseError(error));
  }
};

/** Tries again when a lock was not to be had in time, or a deadlock made this transaction give way. */
const applyPatiently = async (
  client: pg.Client,
  options: MigrateOptions,
  [wait, ...waits]: readonly number[],
): Promise<readonly string[]> => {
  try {
    return await inTransaction(client, options);
  } catch (error) {
    if (wait === undefined || !hasCode(error, '55P03', '40P01')) throw error;
    const { lockTimeout, onEvent } = options;
    const { rows } = await client.query(holdersOfTables, [`${lockTimeout}ms`]);
    const held = rows.map(({ target, session }) => `: ${target} is locked by ${session}`).join('');
    const next = `nothing has changed; trying again in ${wait / 1000} s`;
    onEvent({ _tag: 'Waiting', text: `no lock within ${lockTimeout} ms${held}; ${next}` });
    await pause(wait);
    return applyPatiently(client, options, waits);
  }
};

/** Sessions as text for people, by the locks that they hold. */
const holders = (target: string, condition: string): string => `
  SELECT ${target} AS target, string_agg(DISTINCT 'process ' || a.pid || coalesce(
    ' (' || nullif(concat_ws(', ', nullif(a.application_name, ''), 'role ' || a.usename), '') || ')', ''), ' and ') AS session
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.granted AND l.pid <> pg_backend_pid() AND ${condition}
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY 1 ORDER BY 1`;

/**
 * Those that have kept a table locked for longer than a statement may wait. For how long is hidden from roles
 * that are not in `pg_read_all_stats`.
 */
const holdersOfTables = holders(
  'l.relation::regclass::text',
  `l.relation IN (SELECT oid FROM pg_class WHERE relnamespace = to_regnamespace('triage') AND relkind = 'r')
    AND coalesce(a.xact_start < clock_timestamp() - $1::interval, true)`,
);

/** The lock that concurrent runs wait for. */
const migrationLock = '7241865325823964';

const holdersOfMigration = holders(
  'NULL',
  `l.locktype = 'advisory' AND (l.classid::bigint << 32) + l.objid::bigint = ${migrationLock}`,
);

/** Limits how long each statement of a transaction waits for a lock, in milliseconds. */
const limitWaits = (client: pg.ClientBase, milliseconds: number) =>
  client.query("SELECT set_config('lock_timeout', $1, true)", [`${milliseconds}ms`]);

/** Applies the missing migrations and what concerns roles in one transaction: all of it or nothing. */
const inTransaction = async (client: pg.ClientBase, options: MigrateOptions): Promise<readonly string[]> => {
  // At another level, a run that has waited for a concurrent one would not see what that has done.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await waitForOthers(client, options);
    // Nothing that a migration names without its schema is looked up anywhere else.
    await client.query('SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL client_min_messages = notice');
    const applied = await apply(client, options);
    await client.query('COMMIT');
    return applied;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
};

/**
 * Waits until no other run migrates, without holding a lock that others need. Any role can take this lock and
 * keep it, so the wait has a limit.
 */
const waitForOthers = async (client: pg.ClientBase, { migrationTimeout, onEvent }: MigrateOptions) => {
  await limitWaits(client, migrationTimeout);
  const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${migrationLock}) AS locked`);
  if (rows[0].locked === true) return;
  const { rows: others } = await client.query(holdersOfMigration);
  for (const { session } of others)
    onEvent({ _tag: 'Waiting', text: `waiting for another migration, run by ${session}` });
  await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`).catch((error) => {
    if (!hasCode(error, '55P03')) throw error;
    const seconds = migrationTimeout / 1000;
    throw new Refused(
      `another migration has not ended within ${seconds} s; end its session, or run this again`,
    );
  });
};

const apply = async (
  client: pg.ClientBase,
  { roles: wanted, lockTimeout, citus, folder }: MigrateOptions,
): Promise<readonly string[]> => {
  const { rows: found } = await client.query(
    'SELECT to_regclass(\'triage.migrations\') IS NOT NULL AS "hasTable", to_regnamespace(\'triage\') IS NOT NULL AS "hasSchema"',
  );
  const { hasTable, hasSchema } = found[0];
  const { rows } = hasTable ? await client.query('SELECT name FROM triage.migrations') : { rows: [] };
  const wasDistributed = rows.some(({ name }) => name === distributed);
  const isOnCitus = citus || wasDistributed;
  if (isOnCitus) await requireCitus(client);
  await stopVacuum(client, lockTimeout);
  // `CREATE … IF NOT EXISTS` would take the right to create even what is there.
  if (!hasSchema) await client.query('CREATE SCHEMA triage');
  const { rows: schemas } = await client.query(
    `SELECT pg_get_userbyid(nspowner) AS owner, pg_has_role(nspowner, 'MEMBER') AS "isMember"
     FROM pg_namespace WHERE nspname = 'triage'`,
  );
  const { owner, isMember } = schemas[0];
  // What a migration creates belongs to the owner of the schema, whichever of its members runs it. But Citus
  // connects to the workers as the current role, and the owner may be unable to log in.
  if (isMember && !isOnCitus) await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(owner)}`);
  if (!hasTable)
    await client.query(
      'CREATE TABLE triage.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
  const missing = migrationNames(folder).filter((name) => !rows.some((row) => row.name === name));
  const applied = citus && !wasDistributed ? [...missing, distributed] : missing;
  // Whether the schema is new or not, the workers get what they need of it when its tables are distributed.
  if (citus && !wasDistributed) await client.query('SET LOCAL citus.enable_ddl_propagation = off');
  for (const name of applied) {
    try {
      if (name === distributed) await distribute(client);
      else await client.query(await readFile(`${folder}/${name}.sql`, 'utf8'));
    } catch (error) {
      if (error instanceof Error) error.message = `${name}: ${error.message}`;
      throw error;
    }
    await client.query('INSERT INTO triage.migrations (name) VALUES ($1)', [name]);
  }
  if (wanted !== null) {
    await client.query('RESET ROLE');
    await runRolesPart(client, 1, wanted);
  }
  // Roles that were set up before, one of which owns the schema, get their rights to what is new.
  const prefix = wanted ?? /^([a-z_][a-z0-9_]*)_owner$/.exec(owner)?.[1];
  if (prefix !== undefined) await runRolesPart(client, 2, prefix);
  await client.query('RESET ROLE');
  await runRolesPart(client, 3, defaultRolePrefix);
  return applied;
};

/** Runs a part of `roles.sql` for roles with this prefix: it creates them, their rights, and the rest. */
const runRolesPart = async (client: pg.ClientBase, part: 1 | 2 | 3, prefix: string): Promise<void> => {
  const text = await readFile(`${migrationsFolder}/roles.sql`, 'utf8');
  const named = text.replaceAll(/\btriage_(?=(?:owner|serve|write|read)\b)/g, `${prefix}_`);
  await runScript(client, named.split(/^(?=-- Part )/m)[part] ?? '');
};

/** Takes a lock that conflicts with vacuuming, but with no reader or writer, so its wait may be longer. */
const stopVacuum = async (client: pg.ClientBase, lockTimeout: number): Promise<void> => {
  // PostgreSQL cancels an autovacuum that somebody has waited for during its `deadlock_timeout`, a second.
  await limitWaits(client, Math.max(lockTimeout, 3000));
  const { rows } = await client.query(
    `SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname) AS tables FROM pg_class c
     WHERE c.relnamespace = to_regnamespace('triage') AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE')`,
  );
  const { tables } = rows[0];
  if (tables !== null) await client.query(`LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`);
  await limitWaits(client, lockTimeout);
};
