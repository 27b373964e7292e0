import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { hashSecret } from '../../src/api/credentials.js';
import { aUser, dataset } from '../_data.js';
import { aTenantOf, connected, fill, nameOf, withPostgres } from '../postgres/_postgres.js';
import { run } from './_cli.js';

const { database } = withPostgres(test);

/** The ids in a table, with spaces between them. */
const idsIn = (url: string, table: string): Promise<unknown> =>
  connected(url, async (client) => {
    const { rows } = await client.query(`SELECT string_agg(id, ' ' ORDER BY id) AS ids FROM triage.${table}`);
    return rows[0].ids;
  });

test('delete-tenant prints what the documentation shows, and deletes only with --yes', async (t) => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const page = await readFile(`${root}docs/postgres.md`, 'utf8');
  const [, words = '', output = ''] =
    /^```console\n\$ node bin\/triage-api\.js (db delete-tenant .*)\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const url = await database(t);
  t.is((await run(['db', 'import', `${root}fixtures`, '--database-url', url])).code, 0);
  const shown = await run([...words.split(' '), '--database-url', url]);
  t.deepEqual(shown, { code: 0, out: output, err: '' });
  t.is(await idsIn(url, 'users'), 'usr_acme usr_boundary usr_demo usr_empty usr_large');
  const [summary] = output.split('\n');
  const deleted = await run(['db', 'delete-tenant', 'Dana@ACME.test', '--yes'], { TRIAGE_DATABASE_URL: url });
  const out = `${summary}\ndeleted dana@acme.test (usr_acme) and 102 rows from ${nameOf(url)}\n`;
  t.deepEqual(deleted, { code: 0, out, err: '' });
  t.is(await idsIn(url, 'users'), 'usr_boundary usr_demo usr_empty usr_large');
});

test('delete-tenant finds a tenant by id or address in any letter case, or suggests one of a similar name', async (t) => {
  const url = await database(t);
  const user = (id: string, email = `${id}@test.test`) => dataset({ user: { ...aUser(id), email } });
  const users = [user('dana'), user('émile', 'Émile@test.test'), user('x@test.test', 'y@test.test')];
  await connected(url, (client) => fill(client, [...users, user('z', 'x@test.test')]));
  const nobody = (text: string) => `${nameOf(url)}: there is no tenant with the id or address "${text}"`;
  for (const [argument, out, err] of [
    ['dana', /^dana@test\.test \(dana\): /, ''],
    ['DANA@test.test', /^dana@test\.test \(dana\): /, ''],
    ['e\u0301mile@TEST.test', /^Émile@test\.test \(émile\): /, ''],
    ['dana@tst.test', /^$/, `${nobody('dana@tst.test')}; did you mean "dana@test.test"?\n`],
    ['danna', /^$/, `${nobody('danna')}; did you mean "dana"?\n`],
    ['somebody-else@example.com', /^$/, `${nobody('somebody-else@example.com')}\n`],
    ['x@test.test', /^$/, /x@test\.test.*z/],
  ] as const) {
    const shown = await run(['db', 'delete-tenant', argument, '--database-url', url]);
    t.is(shown.code, err === '' ? 0 : 1, argument);
    t.regex(shown.out, out);
    if (typeof err === 'string') t.is(shown.err, err);
    else t.regex(shown.err, err);
  }
});

test('purge deletes expired sessions, finishes deletions, and prints the numbers', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    for (const id of ['gone', 'kept']) await aTenantOf(client, id, 20);
    await client.query("SELECT triage.delete_account('gone')");
    const insert = "INSERT INTO triage.sessions VALUES ('kept', $1, $2, '2020-01-01', '2020-01-08')";
    for (const id of ['old', 'older']) await client.query(insert, [id, hashSecret(id)]);
  });
  for (const purged of [
    '2 expired sessions, and 370 rows of deleted tenants (1 tenant',
    '0 expired sessions, and 0 rows of deleted tenants (0 tenants',
  ]) {
    const out = `${nameOf(url)}: deleted ${purged} finished)\n`;
    t.deepEqual(await run(['db', 'purge', '--database-url', url]), { code: 0, out, err: '' });
  }
  t.deepEqual([await idsIn(url, 'users'), await idsIn(url, 'sessions')], ['kept', 's']);
});
