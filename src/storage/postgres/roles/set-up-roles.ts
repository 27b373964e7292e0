import pg from 'pg';
import type { RoleNames, RolePart } from './role-names.js';

/** Why the roles cannot be set up; the message says what to do. */
export class RolesRefused extends Error {}

const purposes: Readonly<Record<RolePart, string>> = {
  owner: 'owns the schema',
  definer: 'owns the functions that act with the rights of their owner',
  serve: 'for the server',
  write: 'for programs that write rows',
  read: 'for people and programs that read rows',
};

const parts = ['owner', 'definer', 'serve', 'write', 'read'] as const;

/**
 * Creates the roles that are missing, and makes the owner role the owner of the schema and of everything in
 * it. No role that is created can log in. Returns what was done, one line each; nothing the second time.
 * Rejects with `RolesRefused` if the current role may not do it.
 */
export const setUpRoles = async (client: pg.ClientBase, names: RoleNames): Promise<readonly string[]> => {
  const self = await currentRole(client);
  const done = [
    ...(await createRoles(client, names, self)),
    ...(await joinRoles(client, names, self)),
    ...(await takeOwnership(client, names, self)),
  ];
  const owner = pg.escapeIdentifier(names.owner);
  const asOwner = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`;
  // Functions of later migrations: nobody but the definer role may call them until they are granted.
  await client.query(`${asOwner} REVOKE EXECUTE ON ROUTINES FROM PUBLIC`);
  await client.query(
    `${asOwner} IN SCHEMA triage GRANT EXECUTE ON ROUTINES TO ${pg.escapeIdentifier(names.definer)}`,
  );
  return [...done, ...(await closeDatabase(client))];
};

type Self = Readonly<{ name: string; isSuperuser: boolean; createsRoles: boolean; version: number }>;

const currentRole = async (client: pg.ClientBase): Promise<Self> => {
  const { rows } = await client.query(
    `SELECT rolname AS name, rolsuper AS "isSuperuser", rolsuper OR rolcreaterole AS "createsRoles",
       current_setting('server_version_num')::int AS version
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { name, isSuperuser, createsRoles, version } = rows[0];
  return {
    name: String(name),
    isSuperuser: isSuperuser === true,
    createsRoles: createsRoles === true,
    version: Number(version),
  };
};

const createRoles = async (
  client: pg.ClientBase,
  names: RoleNames,
  self: Self,
): Promise<readonly string[]> => {
  const { rows } = await client.query(`SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)`, [
    Object.values(names),
  ]);
  await refuseUnsuitable(client, names);
  const missing = parts.filter((part) => !rows.some(({ name }) => name === names[part]));
  const statements = missing.map((part) => `CREATE ROLE ${pg.escapeIdentifier(names[part])} NOLOGIN`);
  if (missing.length > 0 && !self.createsRoles)
    throw new RolesRefused(
      `the role ${self.name} may not create roles; run this as a role with CREATEROLE, ` +
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

const memberships = (names: RoleNames, self: Self): readonly string[] => [
  grantMembership(names.owner, self.name),
  grantMembership(names.definer, names.owner),
];

const grantMembership = (role: string, member: string): string =>
  `GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(member)}`;

/**
 * The current role acts as the owner role, and the owner role replaces functions of the definer role. A
 * superuser needs no membership.
 */
const joinRoles = async (client: pg.ClientBase, names: RoleNames, self: Self): Promise<readonly string[]> => {
  const wanted = [
    { role: names.owner, member: self.name },
    { role: names.definer, member: names.owner },
  ];
  const done: string[] = [];
  for (const { role, member } of wanted) {
    if (await isMember(client, role, member, self)) continue;
    try {
      await client.query('SAVEPOINT membership');
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
  { version }: Self,
): Promise<boolean> => {
  // Since version 16 a member need not be allowed to act as the role.
  const toAct = version >= 160_000 ? 'SET' : 'MEMBER';
  const { rows } = await client.query(
    'SELECT pg_has_role($1, $2::name, $3) AND pg_has_role($1, $2::name, $4) AS "isMember"',
    [member, role, toAct, 'USAGE'],
  );
  return rows[0].isMember === true;
};

const isDenied = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '42501';

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

const takeOwnership = async (
  client: pg.ClientBase,
  { owner, definer }: RoleNames,
  self: Self,
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
 * Takes from PUBLIC the rights to create temporary objects and schemas, as the migrations do; a database that
 * was restored from a dump has them again.
 */
const closeDatabase = async (client: pg.ClientBase): Promise<readonly string[]> => {
  const { rows } = await client.query(
    `SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC', d.datname) AS statement,
       pg_has_role(d.datdba, 'USAGE') AS "mayRevoke"
     FROM pg_database d WHERE d.datname = current_database() AND (
       has_database_privilege('public', d.oid, 'CREATE') OR has_database_privilege('public', d.oid, 'TEMPORARY'))`,
  );
  const [open] = rows;
  if (open === undefined) return [];
  if (open.mayRevoke !== true)
    return [
      `warning: every role can create temporary objects in this database; let its owner run: ${open.statement}`,
    ];
  await client.query(open.statement);
  return ['took the right to create temporary tables and schemas in this database from PUBLIC'];
};
