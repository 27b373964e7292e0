import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { connected, urlWith } from './_postgres.js';

const page = fileURLToPath(new URL('../../../../docs/postgres.md', import.meta.url));

/** A role for serving, and the database's URL for it. */
export type ServingRole = Readonly<{ url: string; drop: () => Promise<void> }>;

/** Makes a role by the SQL of the documentation, under a name of its own. */
export const servingRole = async (url: string): Promise<ServingRole> => {
  const [, sql = ''] = /^```sql role\n([\s\S]*?)^```$/m.exec(await readFile(page, 'utf8')) ?? [];
  const name = `triage_serve_${process.pid}_${Math.random().toString(36).slice(2)}`;
  if (!sql.includes('triage_serve')) throw new Error(`the SQL of the role is not in ${page}`);
  await connected(url, (client) => client.query(sql.replaceAll('triage_serve', name)));
  return {
    url: urlWith(url, { username: name, password: 'choose-one' }),
    drop: () =>
      connected(url, async (client) => {
        await client.query(`DROP OWNED BY ${name}`);
        await client.query(`DROP ROLE ${name}`);
      }),
  };
};

/** The same for a test: gives the URL, and drops the role when the test is over. */
export const roleOfTheDocuments = async (t: ExecutionContext, url: string): Promise<string> => {
  const role = await servingRole(url);
  t.teardown(role.drop);
  return role.url;
};
