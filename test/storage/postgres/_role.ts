import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { migrate } from '../../../src/storage/postgres/migrate.js';
import { type RoleNames, roleNames } from '../../../src/storage/postgres/roles/role-names.js';
import { connected, urlWith } from './_postgres.js';

const page = fileURLToPath(new URL('../../../../docs/postgres.md', import.meta.url));

/** A prefix of role names that no other test has. */
export const aRolePrefix = (): string => `t${process.pid}_${Math.random().toString(36).slice(2, 10)}`;

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

/** Sets up roles in a database under names of their own. */
export const setUp = async (t: ExecutionContext, url: string): Promise<RoleNames> => {
  const roles = roleNames(aRolePrefix());
  dropLater(t, url, Object.values(roles));
  const done = await connected(url, (client) => migrate(client, { roles })());
  if (E.isLeft(done)) throw new Error(JSON.stringify(done.left));
  return roles;
};

/** Creates a role that can log in as a member of another one, and gives the database's URL for it. */
export const memberOf = async (t: ExecutionContext, url: string, role: string): Promise<string> => {
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, (client) =>
    client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' IN ROLE ${role}`),
  );
  return urlWith(url, { username: name, password: 'secret' });
};

/**
 * Makes a role for the server by the SQL of the documentation, under a name of its own, and gives the
 * database's URL for it.
 */
export const roleOfTheDocuments = async (t: ExecutionContext, url: string): Promise<string> => {
  const { serve } = await setUp(t, url);
  const [, sql = ''] = /^```sql role\n([\s\S]*?)^```$/m.exec(await readFile(page, 'utf8')) ?? [];
  t.regex(sql, /ROLE triage_app .*'choose-one'.* IN ROLE triage_serve/);
  const name = aRolePrefix();
  dropLater(t, url, [name]);
  await connected(url, (client) =>
    client.query(sql.replaceAll('triage_app', name).replaceAll('triage_serve', serve)),
  );
  return urlWith(url, { username: name, password: 'choose-one' });
};
