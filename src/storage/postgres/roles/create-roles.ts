import pg from 'pg';
import type { RoleNames, RolePart } from './role-names.js';
import { isDenied, RolesRefused } from './roles-refused.js';

/** The role that sets up the others. */
export type CurrentRole = Readonly<{ name: string; createsRoles: boolean; version: number }>;

export const currentRole = async (client: pg.ClientBase): Promise<CurrentRole> => {
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
export const createRoles = async (
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
export const joinRoles = async (
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
