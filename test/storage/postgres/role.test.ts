import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { storageAt } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';
import { roleOfTheDocuments } from './_role.js';

const { database } = withPostgres(test);

const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

test('the documented role can do what the server does, and nothing else', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const asRole = await roleOfTheDocuments(t, url);
  const storage = storageAt(t, asRole);
  const credentials = bySession('acme-cookie');
  const asks: readonly TaskEither<unknown, unknown>[] = [
    storage.repos(credentials),
    storage.findings(credentials, everything),
    storage.finding(credentials, 'd1'),
    storage.prs(credentials, everything),
    storage.user({ userId: 'acme' }),
    storage.userByEmail('acme@test.test'),
    storage.apiTokens({ userId: 'acme' }),
    storage.ready(),
  ];
  for (const ask of asks) {
    const answer = await ask();
    t.true(E.isRight(answer), JSON.stringify(answer));
  }
  await connected(asRole, async (client) => {
    for (const statement of [
      'SELECT * FROM triage.users',
      'SELECT * FROM triage.sessions',
      'SELECT hash FROM triage.api_tokens',
      "UPDATE triage.repos SET owner = 'x'",
      'DELETE FROM triage.fix_drafts',
      "INSERT INTO triage.repos VALUES ('acme', 'x', '', '', '', false, '', '')",
      "SELECT triage.add_rows('acme', '{}')",
      "SELECT triage.add_user('{}', 'x')",
      "SELECT triage.fold_tenant('acme', 1)",
      'TRUNCATE triage.scans',
      'DROP TABLE triage.repos',
      'CREATE TABLE triage.mine ()',
      'ALTER TABLE triage.repos DISABLE ROW LEVEL SECURITY',
      "INSERT INTO triage.migrations (name, run_on) VALUES ('x', now())",
    ]) {
      await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
    }
  });
});

test('row-level security shows a role only the rows of the tenant that it has set', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const asRole = await roleOfTheDocuments(t, url);
  await connected(asRole, async (client) => {
    const owners = async (table: string): Promise<readonly unknown[]> =>
      (await client.query(`SELECT DISTINCT user_id FROM triage.${table} ORDER BY 1`)).rows.map(
        (row) => row.user_id,
      );
    for (const table of ['repos', 'lists', 'fix_drafts', 'pull_requests']) {
      t.deepEqual(await owners(table), [], `${table}: no tenant is set`);
      await client.query('BEGIN');
      await client.query("SELECT set_config('triage.user_id', 'other', true)");
      t.deepEqual(await owners(table), ['other'], table);
      await client.query("SELECT set_config('triage.user_id', 'nobody', true)");
      t.deepEqual(await owners(table), [], table);
      await client.query("SELECT set_config('triage.user_id', 'acme', true)");
      await client.query('COMMIT');
      t.deepEqual(await owners(table), [], `${table}: what was said ends with the transaction`);
    }
    const read = await client.query(
      "SELECT rows FROM triage.read_repos('other', NULL, NULL, NULL, NULL, 200)",
    );
    t.is(read.rows[0].rows.length, 2, 'a function sets the tenant itself');
  });
});

test('row-level security protects against a function that does not filter by tenant', async (t) => {
  const url = await database(t);
  await connected(url, (client) => fill(client, [acme, other]));
  const asRole = await roleOfTheDocuments(t, url);
  const repos = async (as: string): Promise<readonly string[] | 'failed'> => {
    const answer = await storageAt(t, as).repos(bySession('acme-cookie'))();
    return E.isRight(answer) ? answer.right.map(({ repo }) => `${repo.owner}/${repo.id}`) : 'failed';
  };
  const right = await repos(asRole);
  t.is(right.length, acme.repos.length);
  await connected(url, async (client) => {
    const { rows } = await client.query(
      "SELECT pg_get_functiondef(oid) AS source FROM pg_proc WHERE proname = 'repos_of'",
    );
    const careless = String(rows[0].source).replaceAll('user_id = caller', 'user_id IS NOT NULL');
    t.not(careless, rows[0].source);
    await client.query(careless);
  });
  t.deepEqual(await repos(asRole), right);
  t.notDeepEqual(
    await repos(url),
    right,
    'row-level security does not apply to the owner, who sees the broken function',
  );
});
