import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import * as E from '#fp-ts/Either';
import { pause } from '../common/timers.js';
import { requireCitus } from './citus.js';
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
type MigrateEvent = Readonly<{ _tag: 'Done' | 'Waiting' | 'Warning'; text: string }>;

type MigrateOptions = Readonly<{
  /** How long a statement, and requests behind it, may wait for a lock, in ms. Then it is tried again. */
  lockTimeout: number;
  /** How often a file is tried again, a second later. */
  retries: number;
  /** How long to wait for a concurrent run, in milliseconds. */
  migrationTimeout: number;
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
  retries: 60,
  migrationTimeout: 600_000,
  roles: null,
  citus: false,
  folder: migrationsFolder,
  onEvent: () => {},
};

type Migrated = Outcome<readonly string[], UnsuitableDatabase>;

/**
 * Applies the missing migrations, each in a transaction of its own. Returns their names. Concurrent runs wait
 * for each other.
 */
export const migrate = async (client: pg.Client, overrides: Partial<MigrateOptions> = {}): Migrated => {
  const options = { ...defaults, ...overrides };
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

/** The lock that concurrent runs wait for. */
const migrationLock = '7241865325823964';

const applyMissing = async (client: pg.Client, options: MigrateOptions): Migrated => {
  // The server ends a statement whose program was killed, and frees its locks. Not every platform can tell.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => {});
  try {
    await waitForOthers(client, options);
    return E.right(await applyFiles(client, options));
  } catch (error) {
    const isRefused = error instanceof Error && (error instanceof Refused || hasCode(error, rolesMessage));
    return isRefused ? unsuitable(error.message) : E.left(databaseError(error));
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${migrationLock})`).catch(() => {});
  }
};

/** Waits until no other run migrates. Any role can take this lock and keep it, so the wait has a limit. */
const waitForOthers = async (client: pg.Client, { migrationTimeout, onEvent }: MigrateOptions) => {
  await client.query("SELECT set_config('lock_timeout', $1, false)", [`${migrationTimeout}ms`]);
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${migrationLock}) AS "isLocked"`);
  if (rows[0].isLocked === true) return;
  onEvent({ _tag: 'Waiting', text: 'waiting for another migration to end' });
  await client.query(`SELECT pg_advisory_lock(${migrationLock})`).catch((error) => {
    if (!hasCode(error, '55P03')) throw error;
    const seconds = migrationTimeout / 1000;
    throw new Refused(
      `another migration has not ended within ${seconds} s; end its session, or run this again`,
    );
  });
};

/** What is created belongs to the owner of the schema, whichever of its members runs a migration. */
const actAsOwner = `SELECT set_config('role', pg_get_userbyid(nspowner), true) FROM pg_namespace
  WHERE nspname = 'triage' AND pg_has_role(nspowner, 'MEMBER')`;

const applyFiles = async (client: pg.Client, options: MigrateOptions): Promise<readonly string[]> => {
  const { roles, citus, folder } = options;
  const { rows: schemas } = await client.query(
    'SELECT to_regclass(\'triage.migrations\') IS NOT NULL AS "hasTable", to_regnamespace(\'triage\') IS NOT NULL AS "hasSchema"',
  );
  const { hasTable, hasSchema } = schemas[0];
  const { rows } = hasTable ? await client.query('SELECT name FROM triage.migrations') : { rows: [] };
  const isApplied = (name: string): boolean => rows.some((row) => row.name === name);
  const isOnCitus = citus || isApplied(distributed);
  if (isOnCitus) await requireCitus(client);
  // Citus connects to the workers as the current role, and the owner may be unable to log in.
  const beginning = [
    ...(isOnCitus ? [] : [actAsOwner]),
    // Whether the schema is new or not, the workers get what they need of it when its tables are distributed.
    ...(citus && !isApplied(distributed) ? ['SET LOCAL citus.enable_ddl_propagation = off'] : []),
  ];
  const table =
    'CREATE TABLE triage.migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())';
  // `CREATE … IF NOT EXISTS` would take the right to create even what is there.
  const preparing = [...(hasSchema ? [] : ['CREATE SCHEMA triage']), ...beginning, table];
  if (!hasTable) await inTransaction(client, 'the table of migrations', options, preparing);
  const missing = [...migrationNames(folder), ...(citus ? [distributed] : [])].filter(
    (name) => !isApplied(name),
  );
  for (const name of missing) {
    const text = await readFile(`${name === distributed ? migrationsFolder : folder}/${name}.sql`, 'utf8');
    const entry = `INSERT INTO triage.migrations (name) VALUES (${client.escapeLiteral(name)})`;
    await inTransaction(client, name, options, [...beginning, text, entry]);
  }
  const { rows: owners } = await client.query(
    "SELECT substring(nspowner::regrole::text FROM '^([a-z_][a-z0-9_]*)_owner$') AS prefix FROM pg_namespace WHERE nspname = 'triage'",
  );
  // Roles that were set up before, one of which owns the schema, get their rights to what is new.
  const prefix: unknown = roles ?? owners[0].prefix;
  if (typeof prefix === 'string') {
    const text = await readFile(`${migrationsFolder}/roles.sql`, 'utf8');
    const prefixed = text.replaceAll(/\btriage_(?=(?:owner|serve|write|read)\b)/g, `${prefix}_`);
    await inTransaction(client, 'roles', options, [prefixed]);
  }
  await inTransaction(client, 'public', options, [await readFile(`${migrationsFolder}/public.sql`, 'utf8')]);
  return missing;
};

/** Runs SQL in one transaction, and again if it got no lock in time, or gave way to end a deadlock. */
const inTransaction = async (
  client: pg.Client,
  name: string,
  { lockTimeout, retries, onEvent }: Pick<MigrateOptions, 'lockTimeout' | 'retries' | 'onEvent'>,
  texts: readonly string[],
): Promise<void> => {
  const notices: MigrateEvent[] = [];
  type Notice = Readonly<{
    severity?: string | undefined;
    code?: string | undefined;
    message?: string | undefined;
  }>;
  const collect = ({ severity, code, message: text = '' }: Notice): void => {
    if (severity === 'WARNING') notices.push({ _tag: 'Warning', text });
    else if (code === rolesMessage) notices.push({ _tag: 'Done', text });
  };
  try {
    client.on('notice', collect);
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    // Nothing that a migration names without its schema is looked up anywhere else.
    await client.query(
      `SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL client_min_messages = notice; SET LOCAL lock_timeout = ${lockTimeout}`,
    );
    for (const text of texts) await client.query(text);
    await client.query('COMMIT');
    for (const notice of notices) onEvent(notice);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    if (retries === 0 || !hasCode(error, '55P03', '40P01')) {
      if (error instanceof Error && !hasCode(error, rolesMessage))
        error.message = `${name}: ${error.message}`;
      throw error;
    }
    onEvent({ _tag: 'Waiting', text: `${name}: no lock within ${lockTimeout} ms; trying again in a second` });
    await pause(1000);
    await inTransaction(client, name, { lockTimeout, retries: retries - 1, onEvent }, texts);
  } finally {
    client.off('notice', collect);
  }
};
