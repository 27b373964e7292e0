import type { ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { migrate } from '../../src/postgres/migrate.js';
import { block, documentText } from '../_documented.js';
import { connected, urlWith } from './_postgres.js';

/** A prefix of role names that no other test has. */
export const aRolePrefix = (): string => `t${process.pid}_${Math.random().toString(36).slice(2, 10)}`;

/** The names of the roles with a prefix. */
export type RoleNames = Readonly<Record<'owner' | 'serve' | 'write' | 'read', string>>;
export const roleNames = (prefix: string): RoleNames => ({
  owner: `${prefix}_owner`,
  serve: `${prefix}_serve`,
  write: `${prefix}_write`,
  read: `${prefix}_read`,
});

export const prefixOf = ({ owner }: RoleNames): string => owner.slice(0, -'_owner'.length);

/** Removes roles, and what they own in the database at a URL, when the test is over. */
export const dropLater = (t: ExecutionContext, url: string, names: readonly string[]): void =>
  t.teardown(() => dropRoles(url, names));

/** Removes those of some roles that exist, and what they own in the database at a URL. */
export const dropRoles = (url: string, names: readonly string[]): Promise<void> =>
  connected(url, async (client) => {
    const { rows } = await client.query('SELECT rolname AS name FROM pg_roles WHERE rolname = ANY ($1)', [
      names,
    ]);
    for (const { name } of rows) await client.query(`DROP OWNED BY ${name} CASCADE`);
    for (const { name } of rows) await client.query(`DROP ROLE ${name}`);
  });

/** Sets up roles in a database under names of their own, for `dropRoles` to remove. */
export const setUpRoles = async (url: string): Promise<RoleNames> => {
  const prefix = aRolePrefix();
  const done = await connected(url, (client) => migrate(client, { roles: prefix }));
  if (E.isLeft(done)) throw new Error(JSON.stringify(done.left));
  return roleNames(prefix);
};

/** The same, until the test is over. */
export const setUp = async (t: ExecutionContext, url: string): Promise<RoleNames> => {
  const roles = await setUpRoles(url);
  dropLater(t, url, Object.values(roles));
  return roles;
};

/** Creates a role that can log in, until the test is over: its name, and the database's URL for it. */
export const loginOf = async (
  t: ExecutionContext,
  url: string,
  attributes = '',
): Promise<Readonly<{ name: string; url: string }>> => {
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, (client) => client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${attributes}`));
  return { name, url: urlWith(url, { username: name, password: 'secret' }) };
};

/** The database's URL for a member of a role. */
export const memberOf = async (t: ExecutionContext, url: string, role: string, attributes = '') =>
  (await loginOf(t, url, `${attributes} IN ROLE ${role}`)).url;

/** The URL of a role that writes rows as CONTRIBUTING.md says, and may do nothing else. */
export const writerOf = async (t: ExecutionContext, url: string, attributes = ''): Promise<string> =>
  memberOf(t, url, (await setUp(t, url)).write, attributes);

/** A role for the server, and the database's URL for it. */
export type ServingRole = Readonly<{ url: string; drop: () => Promise<void> }>;

/** Makes a role for the server by the SQL of the documentation, under a name of its own. */
export const servingRole = async (url: string): Promise<ServingRole> => {
  const roles = await setUpRoles(url);
  const sql = block(documentText('postgres.md'), 'sql role');
  if (!/ROLE triage_app .*'choose-one'.* IN ROLE triage_serve/.test(sql))
    throw new Error('the document creates another role');
  const name = aRolePrefix();
  await connected(url, (client) =>
    client.query(sql.replaceAll('triage_app', name).replaceAll('triage_serve', roles.serve)),
  );
  return {
    url: urlWith(url, { username: name, password: 'choose-one' }),
    drop: () => dropRoles(url, [name, ...Object.values(roles)]),
  };
};

/** The same for a test: gives the URL, and drops the role when the test is over. */
export const roleOfTheDocuments = async (t: ExecutionContext, url: string): Promise<string> => {
  const role = await servingRole(url);
  t.teardown(role.drop);
  return role.url;
};
