import pg from 'pg';
import { hasCode } from './database.js';

/** What each role is for. */
const purposes = {
  owner: 'owns the schema',
  serve: 'for the server',
  write: 'for programs that write rows',
  read: 'for people and programs that read rows',
} as const;

const parts = ['owner', 'serve', 'write', 'read'] as const;

/** The tables that scanners write and the API reads. */
export const rowTables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

/** What a server calls, wherever the rows of tenants are. */
const accountFunctions = [
  'caller_of',
  'record_token_use',
  'user_by_email',
  'user_profile',
  'create_account',
  'change_password',
  'delete_account',
  'start_session',
  'end_session',
  'list_api_tokens',
  'mint_api_token',
  'revoke_api_token',
  'deleted_tenants',
  'delete_rows_of_deleted',
  'forget_tenant',
  'purge_sessions',
] as const;

/** The functions that a server calls. Those that run with the rights of their owner call others. */
export const functionsOfServers = {
  single: [...accountFunctions, 'no_tenant'],
  // What runs on the coordinator has the rights of its caller, as whom it connects to a worker.
  citus: [...accountFunctions, 'create_account_alone', 'lock_deleted', 'add_rows', 'delete_rows'],
} as const;

/** The names of tables or functions of the schema as a list for a statement. */
export const inSchema = (...names: readonly string[]): string =>
  names.map((name) => `triage.${name}`).join(', ');

/** All that each role may do in the schema. A migration that adds a table or a function adds it here. */
const rightsOf = (isDistributed: boolean) => {
  const serverFunctions = functionsOfServers[isDistributed ? 'citus' : 'single'];
  const policy = `EXECUTE ON FUNCTION ${inSchema(isDistributed ? 'tenant' : 'no_tenant')}`;
  const reading = `SELECT ON ${inSchema('migrations', ...rowTables)}`;
  return {
    // It reads rows of the tenant whose credentials it has, and calls functions for accounts.
    serve: [reading, `EXECUTE ON FUNCTION ${inSchema(...serverFunctions)}`],
    // They write and read rows of the tenant that they have set.
    write: [reading, `INSERT, UPDATE, DELETE ON ${inSchema(...rowTables)}`, policy],
    read: [reading, policy],
  };
};

/** The name of the role for each part. */
export type RoleNames = Readonly<Record<keyof typeof purposes, string>>;

/** The prefix of role names where none is chosen. */
export const defaultRolePrefix = 'triage';

/** The names of the roles for a prefix. Databases of one server that share no logins need two prefixes. */
export const roleNames = (prefix: string): RoleNames => ({
  owner: `${prefix}_owner`,
  serve: `${prefix}_serve`,
  write: `${prefix}_write`,
  read: `${prefix}_read`,
});

/** Why a database cannot be migrated; the message says what to do. */
export class Refused extends Error {}

/** What a migration does, waits for or warns of, as a line for people. */
export type MigrateEvent = Readonly<{ _tag: 'Done' | 'Waiting' | 'Warning'; text: string }>;

type OnEvent = (event: MigrateEvent) => void;

/** Whether the current role lacks a right. */
const isDenied = (error: unknown): boolean => hasCode(error, '42501');

/**
 * Creates the roles that are missing, and makes the owner role the owner of the schema and of everything in
 * it. Nothing is left to do the second time. Rejects with `Refused` if the current role may not do it.
 */
export const setUpRoles = async (client: pg.ClientBase, names: RoleNames, onEvent: OnEvent) => {
  const { rows } = await client.query(
    'SELECT rolname AS name, rolsuper OR rolcreaterole AS creates FROM pg_roles WHERE rolname = current_user',
  );
  const { name: self, creates } = rows[0];
  const join = `GRANT ${pg.escapeIdentifier(names.owner)} TO ${pg.escapeIdentifier(self)}`;
  const statements = await creationOf(client, names);
  if (statements.length > 0 && creates !== true)
    throw new Refused(
      `the role ${self} may not create roles; run this with CREATEROLE, or let an administrator run: ` +
        [...statements.map(({ text }) => text), join].join('; '),
    );
  for (const { text, part } of statements) {
    await client.query(text);
    onEvent({ _tag: 'Done', text: `created the role ${names[part]}, ${purposes[part]}` });
  }
  // Since version 16 a member need not be allowed to act as a role.
  const { rows: memberships } = await client.query(
    `SELECT pg_has_role($1::name, CASE WHEN current_setting('server_version_num')::int >= 160000
       THEN 'SET' ELSE 'MEMBER' END) AND pg_has_role($1::name, 'USAGE') AS "isMember"`,
    [names.owner],
  );
  if (memberships[0].isMember !== true) {
    try {
      await client.query(join);
    } catch (error) {
      if (!isDenied(error)) throw error;
      throw new Refused(
        `the role ${self} may not grant ${names.owner}; let a role that may (it needs ADMIN OPTION) run: ` +
          `${join}; or choose other names with --role-prefix`,
      );
    }
    onEvent({ _tag: 'Done', text: `made ${self} a member of ${names.owner}` });
  }
  await takeOwnership(client, names, self, onEvent);
};

/** The statements that create the roles that are missing. */
const creationOf = async (client: pg.ClientBase, names: RoleNames) => {
  const { rows } = await client.query(
    `SELECT rolname AS name, CASE
       WHEN rolsuper THEN 'is a superuser'
       WHEN rolcreaterole THEN 'can create roles'
       WHEN rolcanlogin AND rolname = ANY ($2) THEN 'can log in'
       WHEN rolbypassrls AND rolname = ANY ($3) THEN 'bypasses row-level security'
     END AS reason
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [Object.values(names), [names.owner], [names.owner, names.serve]],
  );
  // A role that exists must not have more rights than the one that would be created.
  for (const { name, reason } of rows)
    if (reason !== null)
      throw new Refused(
        `the role ${name} exists and ${reason}; change that, or choose other names with --role-prefix`,
      );
  return parts
    .filter((part) => !rows.some(({ name }) => name === names[part]))
    .map((part) => ({ part, text: `CREATE ROLE ${pg.escapeIdentifier(names[part])} NOLOGIN` }));
};

/** Everything in the schema that another role owns, as statements that give it to the owner role. */
const foreignObjects = `
  SELECT format('ALTER SCHEMA triage OWNER TO %I', $1::text) AS statement, 0 AS step, pg_get_userbyid(nspowner) AS owner
  FROM pg_namespace WHERE nspname = 'triage'
  UNION ALL
  SELECT format('ALTER TABLE %s OWNER TO %I', c.oid::regclass, $1), 1, pg_get_userbyid(c.relowner)
  FROM pg_class c WHERE c.relnamespace = to_regnamespace('triage') AND c.relkind IN ('r', 'v', 'm')
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, $1), 2, pg_get_userbyid(t.typowner)
  FROM pg_type t WHERE t.typnamespace = to_regnamespace('triage') AND t.typtype = 'd'
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, $1), 3, pg_get_userbyid(p.proowner)
  FROM pg_proc p WHERE p.pronamespace = to_regnamespace('triage')`;

/** Makes the owner role own the schema, a new one if there is none, and everything in it. */
export const takeOwnership = async (
  client: pg.ClientBase,
  { owner }: RoleNames,
  self: string,
  onEvent: OnEvent,
): Promise<void> => {
  const { rows: found } = await client.query("SELECT to_regnamespace('triage') IS NOT NULL AS exists");
  const { rows: foreign } = await client.query(
    `SELECT statement, owner FROM (${foreignObjects}) AS objects WHERE owner <> $1 ORDER BY step, statement`,
    [owner],
  );
  try {
    if (found[0].exists !== true) {
      await client.query(`CREATE SCHEMA triage AUTHORIZATION ${pg.escapeIdentifier(owner)}`);
      onEvent({ _tag: 'Done', text: `created the schema triage, owned by ${owner}` });
    }
    for (const { statement } of foreign) await client.query(statement);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const owners = [...new Set(foreign.map((each) => String(each.owner)))];
    throw new Refused(
      `the role ${self} may not make ${owner} the owner of the schema (${String(error)}); it needs CREATE on ` +
        `the database${owners.length > 0 ? `, and the rights of ${owners.join(', ')}, who owns it now` : ''}`,
    );
  }
  if (foreign.length > 0)
    onEvent({ _tag: 'Done', text: `made ${owner} the owner of everything in the schema triage` });
};

/**
 * Takes from PUBLIC the rights to create temporary objects, schemas and large objects, which no role needs.
 * A restored dump gives them again. Only a superuser can take the last one, so nobody else is told of it.
 */
export const closeDatabase = async (client: pg.ClientBase, onEvent: OnEvent): Promise<void> => {
  const { rows } = await client.query(
    `SELECT 'temporary tables and schemas' AS what, pg_has_role(d.datdba, 'USAGE') AS "mayRevoke",
       format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) AS statement
     FROM pg_database d WHERE d.datname = current_database() AND (
       has_database_privilege('public', d.oid, 'CREATE') OR has_database_privilege('public', d.oid, 'TEMPORARY'))
     UNION ALL
     SELECT 'large objects', true, 'REVOKE EXECUTE ON FUNCTION lo_creat, lo_create, lo_from_bytea FROM PUBLIC'
     FROM pg_roles WHERE rolname = current_user AND rolsuper AND has_function_privilege('public', 'lo_create(oid)', 'EXECUTE')`,
  );
  for (const { what, mayRevoke, statement } of rows) {
    const warning = `every role can create ${what} in this database; its owner can forbid it: ${statement}`;
    if (mayRevoke === true) await client.query(statement);
    const done = `took the right to create ${what} in this database from PUBLIC`;
    onEvent(mayRevoke === true ? { _tag: 'Done', text: done } : { _tag: 'Warning', text: warning });
  }
};

/** Sets the rights of the roles that exist to those of `rightsOf`, as the owner of the schema; repeatable. */
export const grantRights = async (client: pg.ClientBase, names: RoleNames, isDistributed: boolean) => {
  // Everybody may call a new function, also one that Citus makes on a worker that is added.
  await client.query('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC');
  const rights = rightsOf(isDistributed);
  for (const part of ['serve', 'write', 'read'] as const) {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [names[part]]);
    if (rowCount === 0) continue;
    const role = pg.escapeIdentifier(names[part]);
    for (const all of ['SCHEMA triage', 'ALL TABLES IN SCHEMA triage', 'ALL ROUTINES IN SCHEMA triage'])
      await client.query(`REVOKE ALL ON ${all} FROM ${role}`);
    for (const right of ['USAGE ON SCHEMA triage', ...rights[part]])
      await client.query(`GRANT ${right} TO ${role}`);
  }
  if (!isDistributed) return;
  // On Citus the serving role sees all rows, because each of its statements names the tenant, and no worker
  // is told of it otherwise. The policy of the schema is for writers and readers alone there: Citus calls its
  // function for every role that it applies to.
  const [serve, write, read] = [names.serve, names.write, names.read].map(pg.escapeIdentifier);
  for (const table of rowTables) {
    await client.query(`DROP POLICY IF EXISTS serve ON triage.${table}`);
    await client.query(`CREATE POLICY serve ON triage.${table} TO ${serve} USING (true)`);
    await client.query(`ALTER POLICY own ON triage.${table} TO ${write}, ${read}`);
  }
};

/** The roles that an earlier run has set up: one of them owns the schema. */
export const rolesInUse = async (client: pg.ClientBase): Promise<RoleNames | null> => {
  const owner = "SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = 'triage'";
  const { rows } = await client.query(owner);
  const prefix = /^(.+)_owner$/.exec(String(rows[0]?.owner ?? ''))?.[1];
  return prefix === undefined ? null : roleNames(prefix);
};
