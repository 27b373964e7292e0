import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { hashSecret } from '../../src/api/credentials.js';
import { aUser, dataset } from '../_data.js';
import { aTenantOf, connected, fill, nameOf, withPostgres } from '../postgres/_postgres.js';
import { run } from './_cli.js';

const { database } = withPostgres(test);

const summary =
  'gone@test.test (gone): 30 repos, 300 scans, 20 fix drafts, 20 pull requests, 1 session, 0 API tokens';

/** The ids of all tenants in a database. */
const tenantsIn = (url: string): Promise<readonly string[]> =>
  connected(url, async (client) =>
    (await client.query('SELECT id FROM triage.users ORDER BY id')).rows.map(({ id }) => String(id)),
  );

test('delete-tenant prints what it would delete, and deletes it only with --yes', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await aTenantOf(client, 'gone', 20);
    await aTenantOf(client, 'kept', 20);
  });
  t.deepEqual(await run(['db', 'delete-tenant', 'gone@test.test', '--database-url', url]), {
    code: 0,
    out: `${summary}\nnothing was deleted; pass --yes to delete the tenant and everything that belongs to it\n`,
    err: '',
  });
  t.deepEqual(await tenantsIn(url), ['gone', 'kept']);
  t.deepEqual(await run(['db', 'delete-tenant', 'Gone@TEST.test', '--yes'], { TRIAGE_DATABASE_URL: url }), {
    code: 0,
    out: `${summary}\ndeleted gone@test.test (gone) and 370 rows from ${nameOf(url)}\n`,
    err: '',
  });
  t.deepEqual(await tenantsIn(url), ['kept']);
});

test('delete-tenant prints for the shipped fixtures what the documentation shows', async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const page = await readFile(`${root}docs/postgres.md`, 'utf8');
  const [, words = '', output = ''] =
    /^```console\n\$ node bin\/triage-api\.js (db delete-tenant .*)\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const url = await database(t);
  t.is((await run(['db', 'import', `${root}fixtures`, '--database-url', url])).code, 0);
  t.is((await run(words.split(' '), { TRIAGE_DATABASE_URL: url })).out, output);
});

test('delete-tenant finds a tenant by id or address in any letter case, or suggests one of a similar name', async (t) => {
  const url = await database(t);
  const user = (id: string, email = `${id}@test.test`) => dataset({ user: { ...aUser(id), email } });
  await connected(url, (client) =>
    fill(client, [
      user('dana'),
      user('émile', 'Émile@test.test'),
      user('x@test.test', 'y@test.test'),
      user('z', 'x@test.test'),
    ]),
  );
  const show = (argument: string) => run(['db', 'delete-tenant', argument, '--database-url', url]);
  for (const [argument, shown] of [
    ['dana', 'dana@test.test (dana): '],
    ['DANA@test.test', 'dana@test.test (dana): '],
    ['e\u0301mile@TEST.test', 'Émile@test.test (émile): '],
  ] as const)
    t.true((await show(argument)).out.startsWith(shown), argument);
  for (const [argument, hint] of [
    ['dana@tst.test', '; did you mean "dana@test.test"?'],
    ['danna', '; did you mean "dana"?'],
    ['somebody-else@example.com', ''],
  ] as const) {
    const err = `${nameOf(url)}: there is no tenant with the id or address "${argument}"${hint}\n`;
    t.deepEqual(await show(argument), { code: 1, out: '', err });
  }
  t.regex((await show('x@test.test')).err, /x@test\.test.*z/);
});

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
  t.deepEqual(await run(['db', 'purge'], { TRIAGE_DATABASE_URL: url }), {
    code: 0,
    out: line('0 expired sessions, and 0 rows of deleted tenants (0 tenants'),
    err: '',
  });
  await connected(url, async (client) => {
    t.deepEqual((await client.query('SELECT id FROM triage.users')).rows, [{ id: 'kept' }]);
    t.deepEqual((await client.query('SELECT id FROM triage.sessions')).rows, [{ id: 's' }]);
  });
});
