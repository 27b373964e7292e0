import pg from 'pg';
import { type Rights, type RolePart, rightsOf, rowTables } from './rights.js';

/** The name of the role for each part. */
export type RoleNames = Readonly<Record<RolePart, string>>;

/** The prefix of role names where none is chosen. */
export const defaultRolePrefix = 'triage';

/**
 * The names of the roles for a prefix. Roles belong to a server, not to a database: two databases of one
 * server that must not share logins need two prefixes.
 */
export const roleNames = (prefix: string): RoleNames => ({
  owner: `${prefix}_owner`,
  definer: `${prefix}_definer`,
  serve: `${prefix}_serve`,
  write: `${prefix}_write`,
  read: `${prefix}_read`,
});

/** Why the roles cannot be set up; the message says what to do. */
export class RolesRefused extends Error {}

/** What was done about roles, and what somebody else should do, one line each. */
export type RoleReport = Readonly<{ done: readonly string[]; warnings: readonly string[] }>;

/** Whether the current role lacks a right. */
const isDenied = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42501';

/** The role that sets up the others. */
type CurrentRole = Readonly<{ name: string; createsRoles: boolean; version: number }>;

const currentRole = async (client: pg.ClientBase): Promise<CurrentRole> => {
  const { rows } = await client.query(
    `SELECT rolname AS name, rolsuper OR rolcreaterole AS "createsRoles",
       current_setting('server_version_num')::int AS version
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { name, createsRoles, version } = rows[0];
  return { name: String(name), createsRoles: createsRoles === true, version: Number(version) };
};

const purposes: Readonly<Record<RolePart, string>> = {
  owner: 'owns the schema',
  definer: 'owns the functions that act with the rights of their owner',
  serve: 'for the server',
  write: 'for programs that write rows',
  read: 'for people and programs that read rows',
};

const parts = ['owner', 'definer', 'serve', 'write', 'read'] as const;

/** Creates the roles that are missing. None of them can log in. Returns what was done, one line each. */
const createRoles = async (
  client: pg.ClientBase,
  names: RoleNames,
  self: CurrentRole,
): Promise<readonly string[]> => {
  const { rows } = await client.query(`SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)`, [
    Object.values(names),
  ]);
  await refuseUnsuitable(client, names);
  const missing = parts.filter((part) => !rows.some(({ name }) => name === names[part]));
  const statements = missing.map((part) => `CREATE ROLE ${pg.escapeIdentifier(names[part])} NOLOGIN`);
  if (missing.length > 0 && !self.createsRoles)
    throw new RolesRefused(
      `the role ${self.name} may not create roles; run this with CREATEROLE, ` +
        `or let an administrator run: ${[...statements, ...memberships(names, self)].join('; ')}`,
    );
  for (const statement of statements) await client.query(statement);
  return missing.map((part) => `created the role ${names[part]}, ${purposes[part]}`);
};

/** A role that exists must not have more rights than the one that would be created. */
const refuseUnsuitable = async (client: pg.ClientBase, names: RoleNames): Promise<void> => {
  const { rows } = await client.query(
    `SELECT rolname AS name, CASE
       WHEN rolsuper THEN 'is a superuser'
       WHEN rolcreaterole THEN 'can create roles'
       WHEN rolcanlogin AND rolname = ANY ($2) THEN 'can log in'
       WHEN rolbypassrls AND rolname = ANY ($3) THEN 'bypasses row-level security'
     END AS reason
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [Object.values(names), [names.owner, names.definer], [names.owner, names.definer, names.serve]],
  );
  for (const { name, reason } of rows) {
    if (reason !== null)
      throw new RolesRefused(
        `the role ${name} exists and ${reason}; change that, or choose other names with --role-prefix`,
      );
  }
};

const memberships = (names: RoleNames, self: CurrentRole): readonly string[] => [
  grantMembership(names.owner, self.name),
  grantMembership(names.definer, names.owner),
];

const grantMembership = (role: string, member: string): string =>
  `GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(member)}`;

/**
 * The current role acts as the owner role, and the owner role replaces functions of the definer role. A
 * superuser needs no membership.
 */
const joinRoles = async (
  client: pg.ClientBase,
  names: RoleNames,
  self: CurrentRole,
): Promise<readonly string[]> => {
  const wanted = [
    { role: names.owner, member: self.name },
    { role: names.definer, member: names.owner },
  ];
  const done: string[] = [];
  for (const { role, member } of wanted) {
    if (await isMember(client, role, member, self)) continue;
    try {
      await client.query(grantMembership(role, member));
    } catch (error) {
      if (!isDenied(error)) throw error;
      throw new RolesRefused(
        `the role ${self.name} may not grant ${role}; let a role that may (it needs ADMIN OPTION) run: ` +
          `${grantMembership(role, member)}; or choose other names with --role-prefix`,
      );
    }
    done.push(`made ${member} a member of ${role}`);
  }
  return done;
};

/** Whether a role may act as another one, and has its rights without doing so. */
const isMember = async (
  client: pg.ClientBase,
  role: string,
  member: string,
  { version }: CurrentRole,
): Promise<boolean> => {
  // Since version 16 a member need not be allowed to act as the role.
  const toAct = version >= 160_000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query(
    'SELECT pg_has_role($1, $2::name, $3) AND pg_has_role($1, $2::name, $4) AS "isMember"',
    [member, role, toAct, 'USAGE'],
  );
  return rows[0].isMember === true;
};

/** Everything in the schema that another role owns, as statements that give it to the owner role. */
const foreignObjects = `
  SELECT format('ALTER SCHEMA triage OWNER TO %I', $1::text) AS statement, 0 AS step, pg_get_userbyid(nspowner) AS owner
  FROM pg_namespace WHERE nspname = 'triage'
  UNION ALL
  SELECT format(
    'ALTER %s %s OWNER TO %I',
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
    c.oid::regclass, $1), 1, pg_get_userbyid(c.relowner)
  FROM pg_class c
  WHERE c.relnamespace = to_regnamespace('triage') AND (
    c.relkind IN ('r', 'p', 'v', 'm')
    -- The sequence of a column follows its table.
    OR c.relkind = 'S' AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('a', 'i')))
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', t.oid::regtype, $1), 2, pg_get_userbyid(t.typowner)
  FROM pg_type t
  WHERE t.typnamespace = to_regnamespace('triage') AND (
    t.typtype IN ('d', 'e', 'r')
    OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, $1), 3, pg_get_userbyid(p.proowner)
  FROM pg_proc p
  WHERE p.pronamespace = to_regnamespace('triage') AND pg_get_userbyid(p.proowner) <> $2
  UNION ALL
  SELECT format('ALTER STATISTICS triage.%I OWNER TO %I', s.stxname, $1), 4, pg_get_userbyid(s.stxowner)
  FROM pg_statistic_ext s WHERE s.stxnamespace = to_regnamespace('triage')`;

/**
 * Makes the owner role the owner of the schema, which is created if there is none, and of everything in it.
 * Returns what was done.
 */
export const takeOwnership = async (
  client: pg.ClientBase,
  { owner, definer }: RoleNames,
  self: Readonly<{ name: string }>,
): Promise<readonly string[]> => {
  const { rows: found } = await client.query("SELECT to_regnamespace('triage') IS NOT NULL AS exists");
  const { rows: foreign } = await client.query(
    `SELECT statement, owner FROM (${foreignObjects}) AS objects WHERE owner <> $1 ORDER BY step, statement`,
    [owner, definer],
  );
  try {
    if (found[0].exists !== true) {
      await client.query(`CREATE SCHEMA triage AUTHORIZATION ${pg.escapeIdentifier(owner)}`);
      return [`created the schema triage, owned by ${owner}`];
    }
    for (const { statement } of foreign) await client.query(statement);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const owners = [...new Set(foreign.map((each) => String(each.owner)))];
    throw new RolesRefused(
      `the role ${self.name} may not make ${owner} the owner of the schema (${String(error)}); it needs CREATE on ` +
        `the database${owners.length > 0 ? `, and the rights of ${owners.join(', ')}, who owns it now` : ''}`,
    );
  }
  return foreign.length > 0 ? [`made ${owner} the owner of everything in the schema triage`] : [];
};

/**
 * Takes from PUBLIC the rights to create temporary objects and schemas. A database that
 * was restored from a dump has them again.
 */
export const closeDatabase = async (client: pg.ClientBase): Promise<RoleReport> => {
  const { rows } = await client.query(
    `SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) AS statement,
       pg_has_role(d.datdba, 'USAGE') AS "mayRevoke"
     FROM pg_database d WHERE d.datname = current_database() AND (
       has_database_privilege('public', d.oid, 'CREATE') OR has_database_privilege('public', d.oid, 'TEMPORARY'))`,
  );
  const [open] = rows;
  if (open === undefined) return { done: [], warnings: [] };
  if (open.mayRevoke !== true) {
    const warning = `every role can create temporary objects in this database; its owner can forbid it: ${open.statement}`;
    return { done: [], warnings: [warning] };
  }
  await client.query(open.statement);
  return {
    done: ['took the right to create temporary tables and schemas in this database from PUBLIC'],
    warnings: [],
  };
};

/**
 * Creates the roles that are missing, and makes the owner role the owner of the schema and of everything in
 * it. Nothing is left to do the second time. Rejects with `RolesRefused` if the current role may not do it.
 */
export const setUpRoles = async (client: pg.ClientBase, names: RoleNames): Promise<readonly string[]> => {
  const self = await currentRole(client);
  const created = await createRoles(client, names, self);
  const joined = await joinRoles(client, names, self);
  const owned = await takeOwnership(client, names, self);
  const owner = pg.escapeIdentifier(names.owner);
  const asOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`;
  // Functions of later migrations: nobody but the definer role may call them until they are granted.
  await client.query(`${asOwner} REVOKE EXECUTE ON ROUTINES FROM PUBLIC`);
  await client.query(
    `${asOwner} IN SCHEMA triage GRANT EXECUTE ON ROUTINES TO ${pg.escapeIdentifier(names.definer)}`,
  );
  return [...created, ...joined, ...owned];
};

/**
 * Gives the definer role the functions that act with the rights of their owner, and sets the rights of all
 * roles in the schema to those of `rightsOf`. Runs as the owner of the schema, which is a member of the definer
 * role. A role that does not exist is left out. Every statement can be repeated.
 */
export const grantRights = async (
  client: pg.ClientBase,
  names: RoleNames,
  isDistributed: boolean,
): Promise<void> => {
  await assignFunctions(client, names);
  // On a worker that was added since, Citus has made the functions anew, and everybody may call them.
  if (isDistributed) await client.query('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA triage FROM PUBLIC');
  const existing = await existingParts(client, names);
  const all = rightsOf(isDistributed);
  for (const part of existing)
    for (const statement of grants(all[part], names[part], await signatures(client, all[part])))
      await client.query(statement);
  await createPolicies(client, names, existing, isDistributed);
};

const granted = ['serve', 'write', 'read', 'definer'] as const;
type GrantedPart = (typeof granted)[number];

const existingParts = async (client: pg.ClientBase, names: RoleNames): Promise<readonly GrantedPart[]> => {
  const { rows } = await client.query('SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)', [
    granted.map((part) => names[part]),
  ]);
  return granted.filter((part) => rows.some(({ name }) => name === names[part]));
};

/**
 * Functions that act with the rights of their owner go to the definer role, all others to the owner of the
 * schema. To become the owner of a function, a role needs the right to create one for a moment.
 */
const assignFunctions = async (client: pg.ClientBase, names: RoleNames): Promise<void> => {
  const { rows } = await client.query(
    `SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, part.name) AS statement
     FROM pg_proc p
     CROSS JOIN LATERAL (SELECT CASE WHEN p.prosecdef THEN $1 ELSE $2 END::text AS name) part
     WHERE p.pronamespace = 'triage'::regnamespace AND pg_get_userbyid(p.proowner) <> part.name`,
    [names.definer, names.owner],
  );
  if (rows.length === 0) return;
  const definer = pg.escapeIdentifier(names.definer);
  await client.query(`GRANT USAGE, CREATE ON SCHEMA triage TO ${definer}`);
  for (const { statement } of rows) await client.query(statement);
  await client.query(`REVOKE CREATE ON SCHEMA triage FROM ${definer}`);
};

/** The signatures of the functions that a part may call. One that the schema lacks is an error. */
const signatures = async (client: pg.ClientBase, { functions }: Rights): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT p.oid::regprocedure::text AS signature, p.proname AS name FROM pg_proc p
     WHERE p.pronamespace = 'triage'::regnamespace AND ($1::text[] IS NULL OR p.proname = ANY ($1)) ORDER BY 1`,
    [functions === 'all' ? null : functions],
  );
  const missing =
    functions === 'all' ? [] : functions.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0)
    throw new Error(`the schema lacks functions that roles need: ${missing.join(', ')}`);
  return rows.map(({ signature }) => String(signature));
};

const grants = (
  { tables: tableRights }: Rights,
  name: string,
  functions: readonly string[],
): readonly string[] => {
  const role = pg.escapeIdentifier(name);
  return [
    `REVOKE ALL ON SCHEMA triage FROM ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA triage FROM ${role}`,
    `REVOKE ALL ON ALL ROUTINES IN SCHEMA triage FROM ${role}`,
    `GRANT USAGE ON SCHEMA triage TO ${role}`,
    ...tableRights.map(
      ({ privileges, tables }) =>
        `GRANT ${privileges} ON ${tables.map((table) => `triage.${table}`).join(', ')} TO ${role}`,
    ),
    `GRANT EXECUTE ON ROUTINE ${functions.join(', ')} TO ${role}`,
  ];
};

/**
 * Row-level security applies to the definer role, because it does not own the tables; a policy shows it all
 * rows. So does one for the serving role on Citus, where each statement names its tenant, and no worker is told
 * of it otherwise. There the policy of the schema is for writers and readers alone: Citus calls its function
 * for every role that it applies to.
 */
const createPolicies = async (
  client: pg.ClientBase,
  names: RoleNames,
  existing: readonly GrantedPart[],
  isDistributed: boolean,
): Promise<void> => {
  const all = existing.filter((part) => part === 'definer' || (part === 'serve' && isDistributed));
  for (const table of rowTables) {
    for (const part of all) {
      if (await hasPolicy(client, table, part, names[part])) continue;
      await client.query(`DROP POLICY IF EXISTS ${part} ON triage.${table}`);
      await client.query(
        `CREATE POLICY ${part} ON triage.${table} TO ${pg.escapeIdentifier(names[part])} USING (true) WITH CHECK (true)`,
      );
    }
    const limited = existing.filter((part) => part === 'write' || part === 'read');
    if (isDistributed && limited.length > 0)
      await client.query(
        `ALTER POLICY own ON triage.${table} TO ${limited.map((part) => pg.escapeIdentifier(names[part])).join(', ')}`,
      );
  }
};

/** A policy that exists is left alone: creating one locks its table against reads. */
const hasPolicy = async (
  client: pg.ClientBase,
  table: string,
  policy: string,
  role: string,
): Promise<boolean> => {
  const { rows } = await client.query(
    `SELECT FROM pg_policy p JOIN pg_roles r ON p.polroles = ARRAY[r.oid]
     WHERE p.polrelid = $1::regclass AND p.polname = $2 AND r.rolname = $3`,
    [`triage.${table}`, policy, role],
  );
  return rows.length > 0;
};

/** The roles that an earlier run has set up: the definer role owns the functions of the schema. */
export const rolesInUse = async (client: pg.ClientBase): Promise<RoleNames | null> => {
  const { rows } = await client.query(
    `SELECT pg_get_userbyid(p.proowner) AS definer FROM pg_proc p
     JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'triage' AND p.prosecdef AND p.proowner <> n.nspowner LIMIT 1`,
  );
  const prefix = /^(.+)_definer$/.exec(String(rows[0]?.definer ?? ''))?.[1];
  return prefix === undefined ? null : roleNames(prefix);
};
