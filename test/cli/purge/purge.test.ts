import test from 'ava';
import { hashSecret } from '../../../src/accounts/sessions-and-tokens.js';
import { aTenantOf, connected, withPostgres } from '../../storage/postgres/_postgres.js';
import { run } from '../_cli.js';

const { database, emptyDatabase } = withPostgres(test);

const nameOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`;

test('purge deletes expired sessions, finishes deletions, and prints the numbers', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 20);
    await aTenantOf(client, 'kept', 20);
    await client.query("SELECT triage.delete_account('gone')");
    for (const id of ['old', 'older']) {
      await client.query("INSERT INTO triage.sessions VALUES ('kept', $1, $2, '2020-01-01', '2020-01-08')", [
        id,
        hashSecret(id),
      ]);
    }
  });
  const line = (purged: string) => `${nameOf(url)}: deleted ${purged} finished)\n`;
  t.deepEqual(await run(['db', 'purge', '--database-url', url]), {
    code: 0,
    out: line('2 expired sessions, and 370 rows of deleted tenants (1 tenant'),
    err: '',
  });
  t.deepEqual(await run(['db', 'purge'], { DATABASE_URL: url }), {
    code: 0,
    out: line('0 expired sessions, and 0 rows of deleted tenants (0 tenants'),
    err: '',
  });
  await connected(url, async (client) => {
    t.deepEqual((await client.query('SELECT id FROM triage.users')).rows, [{ id: 'kept' }]);
    t.deepEqual((await client.query('SELECT id FROM triage.sessions')).rows, [{ id: 's' }]);
  });
});

test('purge fails without a current schema', async (t) => {
  const { code, err } = await run(['db', 'purge', '--database-url', await emptyDatabase(t)]);
  t.is(code, 1);
  t.regex(err, /older than this version .*run: triage-api db migrate\n$/);
});
