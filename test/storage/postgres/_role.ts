import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { connected, urlWith } from './_postgres.js';

const page = fileURLToPath(new URL('../../../../docs/postgres.md', import.meta.url));

/**
 * Makes a role by the SQL of the documentation, under a name of its own, and gives the database's URL for it.
 */
export const roleOfTheDocuments = async (t: ExecutionContext, url: string): Promise<string> => {
  const [, sql = ''] = /^```sql role\n([\s\S]*?)^```$/m.exec(await readFile(page, 'utf8')) ?? [];
  const name = `triage_serve_${process.pid}_${Math.random().toString(36).slice(2)}`;
  t.true(sql.includes('triage_serve'));
  await connected(url, (client) => client.query(sql.replaceAll('triage_serve', name)));
  t.teardown(() =>
    connected(url, async (client) => {
      await client.query(`DROP OWNED BY ${name}`);
      await client.query(`DROP ROLE ${name}`);
    }),
  );
  return urlWith(url, { username: name, password: 'choose-one' });
};
