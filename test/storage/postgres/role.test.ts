import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type pg from 'pg';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import { rowTables } from '../../../src/storage/postgres/roles.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { cookie, serve } from '../../_server.js';
import { bySession } from '../../_storage.js';
import { connected, opened, storageAt, withPostgres } from './_postgres.js';
import { memberOf, roleOfTheDocuments, setUp } from './_role.js';

const { filled } = withPostgres(test);

const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };
const credentials = bySession('acme-cookie');

const setTenant = (client: pg.Client, tenant: string) =>
  client.query("SELECT set_config('triage.user_id', $1, true)", [tenant]);

test('the documented role can do what the server does', async (t) => {
  const url = await filled(t, acme, other);
  const storage = storageAt(t, await roleOfTheDocuments(t, url));
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
});

/** What no role may do, though it has set a tenant. */
const denied: readonly string[] = [
  ...['users', 'sessions', 'api_tokens'].map((table) => `SELECT FROM triage.${table}`),
  'TRUNCATE triage.scans CASCADE',
  'DROP TABLE triage.repos',
  'ALTER TABLE triage.repos DISABLE ROW LEVEL SECURITY',
  "INSERT INTO triage.migrations (name) VALUES ('x')",
  "SELECT triage.add_rows('acme', '{}')",
  "SELECT triage.delete_rows('acme', 1)",
  "SELECT triage.lock_user('acme')",
  'CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz',
  'CREATE TEMPORARY TABLE users ()',
  'CREATE SCHEMA mine',
  'CREATE TABLE triage.mine ()',
  "CREATE FUNCTION triage.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  'SET session_replication_role = replica',
  'ALTER FUNCTION triage.end_session(text) OWNER TO CURRENT_USER',
  'ALTER FUNCTION triage.end_session(text) SET search_path = pg_temp',
];
const writes = [
  "UPDATE triage.repos SET owner = 'x'",
  'DELETE FROM triage.fix_drafts',
  "INSERT INTO triage.repos VALUES ('acme', 'x', '', '', '', false, '', '')",
];
const callsOfTheServer = [
  "SELECT triage.user_by_email('acme@test.test')",
  "SELECT triage.list_api_tokens('acme')",
  "SELECT triage.delete_account('acme')",
  "SELECT triage.purge_sessions('2026-01-01T00:00:00.000Z', 1)",
];
const deniedTo = {
  serve: writes,
  read: [...writes, ...callsOfTheServer],
  write: [
    ...callsOfTheServer,
    "INSERT INTO triage.repos VALUES ('other', 'new', '', '', '', false, '', '')",
    "UPDATE triage.repos SET user_id = 'other'",
  ],
};

for (const part of ['serve', 'read', 'write'] as const) {
  test(`a role in ${part} may do nothing that it does not need`, async (t) => {
    const url = await filled(t, acme, other);
    const roles = await setUp(t, url);
    await connected(await memberOf(t, url, roles[part]), async (client) => {
      await client.query("SELECT set_config('triage.user_id', 'acme', false)");
      for (const statement of [
        ...denied,
        ...deniedTo[part],
        `SET ROLE ${roles.owner}`,
        `SET SESSION AUTHORIZATION ${roles.owner}`,
        `GRANT ${roles.owner} TO CURRENT_USER`,
      ])
        await t.throwsAsync(client.query(statement), { code: '42501' }, statement);
    });
  });
}

const noTenant = { code: '42501', message: 'no tenant is set' };

test('without a tenant, no role gets an answer from a table of rows, not even an empty one', async (t) => {
  const url = await filled(t, acme, other);
  const { serve: serving, read, write } = await setUp(t, url);
  for (const role of [serving, read, write]) {
    await connected(await memberOf(t, url, role), async (client) => {
      const statements = rowTables.flatMap((table) => [
        `SELECT count(*) FROM triage.${table}`,
        `SELECT FROM triage.${table} WHERE user_id = 'acme' LIMIT 1`,
        ...(role === write
          ? [`UPDATE triage.${table} SET id = id`, `DELETE FROM triage.${table} WHERE user_id = 'acme'`]
          : []),
      ]);
      const refuses = async (when: string): Promise<void> => {
        for (const statement of statements)
          await t.throwsAsync(client.query(statement), noTenant, `${when}: ${statement}`);
      };
      await refuses('on a new connection');
      await client.query('BEGIN');
      await setTenant(client, 'acme');
      await client.query('COMMIT');
      await refuses('after a transaction that had one');
      await client.query("SELECT set_config('triage.user_id', '', false)");
      await refuses('with an empty one');
    });
  }
});

test('row-level security shows a role only the rows of the tenant that its transaction has set', async (t) => {
  const url = await filled(t, acme, other);
  const owners = async (client: pg.Client, table: string, condition: string): Promise<readonly unknown[]> =>
    (await client.query(`SELECT user_id, count(*) FROM triage.${table} WHERE ${condition} GROUP BY 1`)).rows;
  const roles = await setUp(t, url);
  for (const role of [roles.serve, roles.read, roles.write]) {
    const asRole = await memberOf(t, url, role);
    await connected(url, (owner) =>
      connected(asRole, async (client) => {
        for (const table of rowTables) {
          await client.query('BEGIN');
          for (const tenant of ['other', 'nobody', 'acme']) {
            await setTenant(client, tenant);
            t.deepEqual(
              await owners(client, table, 'true'),
              await owners(owner, table, `user_id = '${tenant}'`),
              `${table} of ${tenant}`,
            );
          }
          await client.query('COMMIT');
        }
      }),
    );
  }
});

/** A storage whose statements have another text. */
const rewritten = (t: ExecutionContext, url: string, from: string, to: string) => {
  const database = opened(t, url);
  let count = 0;
  const storage = postgresStorage(
    {
      database: {
        ...database,
        query: ({ text, ...rest }) => {
          count += text.split(from).length - 1;
          return database.query({ ...rest, text: text.replaceAll(from, to) });
        },
      },
    },
    () => {},
  );
  return { storage, count: () => count };
};

test('row-level security protects against a statement that does not filter by tenant', async (t) => {
  const url = await filled(t, acme, other);
  const asRole = await roleOfTheDocuments(t, url);
  const careless = (as: string) => rewritten(t, as, 'user_id = caller.user_id', 'user_id IS NOT NULL');
  const right = await storageAt(t, url).findings(credentials, everything)();
  t.true(E.isRight(right));
  const asServer = careless(asRole);
  t.deepEqual(await asServer.storage.findings(credentials, everything)(), right);
  t.true(asServer.count() > 0);
  t.notDeepEqual(
    await careless(url).storage.findings(credentials, everything)(),
    right,
    'row-level security does not apply to the owner, who sees rows of others',
  );
});

test('a statement that reads before it has set the tenant is a 500, never an empty list', async (t) => {
  const url = await filled(t, acme);
  const asRole = await roleOfTheDocuments(t, url);
  const wrong = rewritten(t, asRole, "set_config('triage.user_id', c.user_id, true)", 'c.user_id');
  const { ask, logged } = await serve(t, [], { storage: wrong.storage });
  for (const path of ['repos', 'findings', 'findings/d1', 'prs', 'prs?status=open&page=9']) {
    const { status, body } = await ask(`/api/v1/${path}`, cookie('acme-cookie'));
    t.deepEqual([status, body], [500, { error: 'Internal server error' }], path);
  }
  t.is(wrong.count(), 5);
  t.regex(String(logged[0]?.facts.cause), /no tenant is set/);
});
