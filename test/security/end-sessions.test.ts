import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { aSession, aUser, dataset } from '../_data.js';
import { bySession } from '../_storage.js';
import { fill } from '../storage/postgres/_fill.js';
import { storageAt } from '../storage/postgres/_opened.js';
import { connected, withPostgres } from '../storage/postgres/_postgres.js';

const { database } = withPostgres(test);

const page = fileURLToPath(new URL('../../../docs/security.md', import.meta.url));

test('the documented statement ends the sessions of one user, and no others', async (t) => {
  const [, statement = ''] = /^```sql sessions\n([\s\S]*?)^```$/m.exec(await readFile(page, 'utf8')) ?? [];
  const url = await database(t);
  await connected(url, (client) =>
    fill(client, [
      dataset({
        user: { ...aUser('kim'), email: 'kim@team.test' },
        sessions: [aSession('k1'), aSession('k2')],
      }),
      dataset({ user: aUser('lee'), sessions: [aSession('l')] }),
    ]),
  );
  const storage = storageAt(t, url);
  const isValid = async (value: string): Promise<boolean> => {
    const { _tag } = await storage.caller(bySession(value))();
    return _tag === 'Right';
  };
  t.deepEqual([await isValid('k1'), await isValid('k2'), await isValid('l')], [true, true, true]);
  await connected(url, (client) => client.query(statement));
  t.deepEqual([await isValid('k1'), await isValid('k2'), await isValid('l')], [false, false, true]);
});
