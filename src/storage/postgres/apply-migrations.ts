import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { distribute, isDistributed, requireCitus } from './citus/distribute.js';
import type { RoleReport } from './roles/close-database.js';
import { grantRights } from './roles/grant-rights.js';
import { prefixOfDefiner, type RoleNames, roleNames } from './roles/role-names.js';
import { setUpRoles } from './roles/set-up-roles.js';
import { takeOwnership } from './roles/take-ownership.js';
import { migrationNames, migrationsFolder } from './schema-state.js';

export type ApplyOptions = Readonly<{
  /** How long each statement may wait for a lock, in milliseconds. */
  lockTimeout: number;
  /** The roles to set up; null leaves the set of roles as it is. */
  roles: RoleNames | null;
  /** Distributes the schema to the workers of Citus; one that is distributed stays so. */
  citus: boolean;
}>;

/** The names of the migrations that were applied, and what was done about roles. */
export type Applied = Readonly<{ migrations: readonly string[]; roles: RoleReport }>;

/** The lock that concurrent runs wait for. */
const migrationLock = '7241865325823964';

/**
 * Applies the missing migrations in one transaction, and with them what concerns roles: all of it or nothing.
 * If roles were set up before, they get their rights to what the migrations have created.
 */
export const applyMigrations = async (client: pg.ClientBase, options: ApplyOptions): Promise<Applied> => {
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
  { roles: wanted, lockTimeout, citus }: ApplyOptions,
): Promise<Applied> => {
  const distributed = citus || (await isDistributed(client));
  if (distributed) await requireCitus(client);
  await stopVacuum(client, lockTimeout);
  const inUse = wanted ?? (await rolesInUse(client));
  const roles = wanted === null ? { done: [], warnings: [] } : await setUpRoles(client, wanted);
  await createSchema(client);
  // Citus connects to the workers as the current role, and the owner of the schema may be unable to log in.
  if (!distributed) await actAsOwner(client);
  await client.query(
    `CREATE TABLE IF NOT EXISTS triage.migrations (
       id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL)`,
  );
  const { rows } = await client.query('SELECT name FROM triage.migrations');
  const missing = (await migrationNames()).filter((name) => !rows.some((row) => row.name === name));
  for (const name of missing) {
    await applyMigration(client, name);
    await client.query('INSERT INTO triage.migrations (name, run_on) VALUES ($1, now())', [name]);
  }
  const applied = distributed ? [...missing, ...(await distribute(client))] : missing;
  const names = wanted ?? (applied.length > 0 ? inUse : null);
  if (names !== null) {
    if (distributed) await takeOwnership(client, names, { name: 'current_user' });
    await grantRights(client, names, distributed);
  }
  return { migrations: applied, roles };
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

const applyMigration = async (client: pg.ClientBase, name: string): Promise<void> => {
  try {
    await client.query(await readFile(`${migrationsFolder}/${name}.sql`, 'utf8'));
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
};

/** The roles that an earlier run has set up: the definer role owns the functions of the schema. */
const rolesInUse = async (client: pg.ClientBase): Promise<RoleNames | null> => {
  const { rows } = await client.query(
    `SELECT pg_get_userbyid(p.proowner) AS definer FROM pg_proc p
     JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'triage' AND p.prosecdef AND p.proowner <> n.nspowner LIMIT 1`,
  );
  const prefix = prefixOfDefiner(String(rows[0]?.definer ?? ''));
  return prefix === null ? null : roleNames(prefix);
};
