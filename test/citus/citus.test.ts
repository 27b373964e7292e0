import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { singleConnection } from '../../src/postgres/database.js';
import { migrate } from '../../src/postgres/migrate.js';
import { findingQuery, findingsQuery, prsQuery, reposQuery } from '../../src/postgres/queries.js';
import { countRecords, deleteTenant, findTenant, purge } from '../../src/postgres/tenants.js';
import { resultOf, rowsFound } from '../../src/storage-kit/conformance/conformance-case.js';
import { storageConformance } from '../../src/storage-kit/conformance/index.js';
import { acme, newAccount, other } from '../../src/storage-kit/conformance/sample-tenants.js';
import { aDraft, aRepo, aSession, at, aUser, dataset, now } from '../_data.js';
import { bySession, patient } from '../_storage.js';
import { connected, fill, urlWith } from '../postgres/_postgres.js';
import { aRolePrefix, prefixOf, roleNames } from '../postgres/_role.js';
import {
  type CitusStorage,
  citusAt,
  clear,
  fillWorkers,
  memberOfCitus,
  openCitus,
  right,
  untilReady,
  withCitus,
} from './_citus.js';

const { cluster, url } = withCitus(test);
const page = { repoId: undefined, offset: 0, limit: 10 };
const purging = {
  at: timestampAt(at(now)),
  batchSize: 10,
  onProgress: () => {},
  shouldStop: () => false,
};

test.serial.beforeEach(() => clear(url()));

test.serial('a database with rows is distributed without loss, and only once', async (t) => {
  const database = await cluster().database('with_rows');
  const { storage } = citusAt(t, database);
  const read = () => storage.findings(bySession('acme-cookie'), page);
  await connected(database, async (client) => {
    right(await migrate(client));
    await fill(client, [acme, other]);
    t.is((await rowsFound(read())).total, acme.fixDrafts.length, 'as long as it is not distributed');
    await client.query("UPDATE triage.fix_drafts SET status = 'resolved' WHERE user_id = 'acme'");
    t.deepEqual(await migrate(client, { citus: true }), E.right(['citus']));
    t.deepEqual(await migrate(client, { citus: true }), E.right([]));
    t.deepEqual(await migrate(client), E.right([]), 'a distributed database stays so');
    const tenant = right(await findTenant(singleConnection(client), 'acme'));
    t.is(right(await countRecords(singleConnection(client), tenant)).fixDrafts, acme.fixDrafts.length);
  });
  t.true(E.isLeft(await read()), 'this answer tells the server that the database has changed');
  t.is((await rowsFound(read())).total, acme.fixDrafts.length);
});

test.serial('only a coordinator with workers is distributed, by a superuser', async (t) => {
  await connected(await cluster().plainDatabase('plain'), async (client) => {
    const refused = async (connection = client) => {
      const result = await migrate(connection, { citus: true });
      return E.isLeft(result) && result.left._tag === 'UnsuitableDatabase'
        ? result.left.reason
        : 'not refused';
    };
    t.regex(await refused(), /extension citus is not installed/);
    await client.query('CREATE EXTENSION citus');
    t.regex(await refused(), /there are no workers/);
    const { rows } = await client.query("SELECT to_regnamespace('triage') AS schema");
    t.deepEqual(rows, [{ schema: null }], 'nothing has changed');
    const name = aRolePrefix();
    await client.query(`CREATE ROLE ${name} LOGIN; GRANT CREATE ON DATABASE plain TO ${name}`);
    t.regex(
      await connected(urlWith(cluster().url('plain'), { username: name }), refused),
      new RegExp(`the role ${name} is not a superuser`),
    );
    t.regex(await connected(cluster().url('triage', 1), refused), /this server is a worker/);
  });
});

test.serial('each read goes to one worker as a whole, however often it is sent', async (t) => {
  await connected(url(), async (client) => {
    const [id = ''] = await fillWorkers(client);
    const reads = [
      reposQuery,
      findingQuery('d'),
      ...[undefined, 'r'].flatMap((repoId) => [
        findingsQuery({ ...page, repoId }),
        prsQuery({ ...page, repoId, status: undefined }),
        prsQuery({ ...page, repoId, status: 'open' }),
      ]),
    ];
    for (const read of reads) {
      const { name = '', text, values } = read.byTenant(id);
      const { rows: plan } = await client.query(`EXPLAIN ${text}`, [...values]);
      const lines = plan.map((row) => String(row['QUERY PLAN']).trim());
      t.deepEqual(
        lines.filter((line) => /^(?:Task Count|Tasks Shown|Custom Scan)|Distributed Subplan/.test(line)),
        [
          'Custom Scan (Citus Adaptive)  (cost=0.00..0.00 rows=0 width=0)',
          'Task Count: 1',
          'Tasks Shown: All',
        ],
        name,
      );
      // At the sixth time, PostgreSQL may choose a general plan.
      const answers = [];
      for (let i = 0; i < 10; i += 1)
        answers.push((await client.query({ name, text, values: [...values] })).rows);
      t.is(answers[0]?.[0]?.total, '1', name);
      for (const answer of answers) t.deepEqual(answer, answers[0], name);
    }
  });
});

test.serial(
  'a writer without a tenant gets an error, and with one sees and writes its rows alone',
  async (t) => {
    const writer = await memberOfCitus(url(), 'write');
    const [own = '', foreign = ''] = await connected(url(), fillWorkers);
    await connected(writer.url, async (client) => {
      const insert = (tenant: string) =>
        client.query("INSERT INTO triage.repos VALUES ($1, 'new', '', '', '', false, '', '')", [tenant]);
      const denied = { code: '42501' };
      await t.throwsAsync(client.query('SELECT FROM triage.repos WHERE user_id = $1', [own]), denied);
      await t.throwsAsync(client.query('SELECT count(*) FROM triage.repos'), denied);
      await t.throwsAsync(insert(own), denied);
      await client.query('BEGIN');
      await client.query("SET LOCAL citus.propagate_set_commands = 'local'");
      await client.query(`SET LOCAL triage.user_id = '${own}'`);
      await insert(own);
      const { rows } = await client.query('SELECT DISTINCT user_id AS id FROM triage.repos');
      t.deepEqual(rows, [{ id: own }]);
      t.is((await client.query('DELETE FROM triage.repos WHERE user_id = $1', [foreign])).rowCount, 0);
      await t.throwsAsync(insert(foreign), denied);
      await client.query('ROLLBACK');
    });
  },
);

test.serial('a serving role signs up, reads, deletes and purges, and reads no account', async (t) => {
  const { url: serving } = await memberOfCitus(url(), 'serve');
  await connected(url(), (client) => fill(client, [acme]));
  const { storage, citus } = citusAt(t, serving);
  await untilReady(storage);
  for (const id of ['u1', 'u2', 'u3', 'u4']) await resultOf(storage.signUp(await newAccount(id), null));
  t.deepEqual(
    await storage.signUp(await newAccount('u5', 'u1@new.test'), null),
    E.left({ _tag: 'EmailTaken' }),
  );
  const { total } = await rowsFound(storage.findings(bySession('u1'), page));
  await connected(serving, async (client) => {
    // The second one is left to the purge with all its rows.
    t.true(await resultOf(storage.deleteAccount({ userId: 'u2' })));
    await client.query("SELECT triage.delete_account('u3')");
    t.like(right(await purge(singleConnection(client), purging, citus.connectionFor)), { tenants: 1 });
    for (const table of ['users', 'sessions', 'api_tokens'])
      await t.throwsAsync(client.query(`SELECT FROM triage.${table}`), { code: '42501' }, table);
  });
  t.is((await rowsFound(storage.findings(bySession('u1'), page))).total, total);
  t.deepEqual(await storage.repos(bySession('u2')), E.left({ _tag: 'Unauthorized' }));
  await connected(url(), async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*)::int FROM triage.repos WHERE user_id IN ('u2', 'u3')) AS repos`,
    );
    const { rows: users } = await client.query('SELECT id FROM triage.users ORDER BY id');
    t.deepEqual(rows, [{ repos: 0 }]);
    t.deepEqual(
      users.map(({ id }) => id),
      ['acme', 'u1', 'u4'],
    );
  });
});

test.serial('roles have the same rights on a worker that was added later', async (t) => {
  const roles = roleNames(aRolePrefix());
  const database = await cluster().database('grown', 1);
  await connected(cluster().url('postgres', 2), (client) => client.query('CREATE DATABASE grown'));
  await connected(cluster().url('grown', 2), (client) => client.query('CREATE EXTENSION citus'));
  await connected(database, async (client) => {
    right(await migrate(client, { citus: true, roles: prefixOf(roles) }));
    await client.query("SELECT citus_add_node('127.0.0.1', $1)", [
      Number(new URL(cluster().url('', 2)).port),
    ]);
    right(await migrate(client, { roles: prefixOf(roles) }));
  });
  const callable = (node: number) =>
    connected(cluster().url('grown', node), async (client) => {
      const { rows } = await client.query(
        `SELECT r.name, array_agg(p.oid::regprocedure::text ORDER BY p.oid::regprocedure::text) AS functions
         FROM unnest($1::name[]) AS r (name), pg_proc p
         WHERE p.pronamespace = 'triage'::regnamespace AND has_function_privilege(r.name, p.oid, 'EXECUTE')
         GROUP BY r.name ORDER BY r.name`,
        [[roles.serve, roles.write, roles.read, 'pg_monitor']],
      );
      return rows;
    });
  const onFirst = await callable(1);
  t.is(onFirst.length, 3);
  t.deepEqual(await callable(2), onFirst);
});

test.serial('a sign-up whose rows the worker does not commit leaves no account', async (t) => {
  const { storage } = citusAt(t, url());
  const onWorkers = async (sql: string) => {
    for (const node of [1, 2])
      await connected(cluster().url('triage', node), async (client) => {
        await client.query('SET citus.enable_ddl_propagation = off');
        await client.query(sql);
      });
  };
  const onShards = (sql: string) =>
    connected(url(), async (client) => {
      const { rows } = await client.query(
        "SELECT bool_and(success) AS done FROM run_command_on_shards('triage.repos', $1)",
        [sql],
      );
      t.deepEqual(rows, [{ done: true }]);
    });
  await onWorkers(
    `CREATE FUNCTION public.end_connection() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`,
  );
  await onShards(
    'CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED ' +
      'FOR EACH ROW EXECUTE FUNCTION public.end_connection()',
  );
  t.true(E.isLeft(await storage.signUp(await newAccount('half'), null)));
  await onShards('DROP TRIGGER at_commit ON %s');
  await onWorkers('DROP FUNCTION public.end_connection');
  t.is(await resultOf(storage.userByEmail('half@new.test')), null);
  await resultOf(storage.signUp(await newAccount('half'), null));
  t.true((await rowsFound(storage.repos(bySession('half')))).length > 0);
});

test.serial('a tenant that is imported again while another is purged keeps its new rows', async (t) => {
  await connected(url(), async (client) => {
    await fill(client, [acme, other]);
    await client.query("SELECT triage.delete_account('acme'), triage.delete_account('other')");
    const database = singleConnection(client);
    let isImported = false;
    // Another process finishes the deletion of the second tenant while this one deletes the first.
    const connectionFor = () => ({
      query: async (statement: Parameters<typeof database.query>[0]) => {
        if (!isImported) {
          isImported = true;
          await client.query("SELECT triage.delete_rows_of_deleted('other', 1000000)");
          await client.query("SELECT triage.forget_tenant('other')");
          await fill(client, [other]);
        }
        return database.query(statement);
      },
    });
    t.like(right(await purge(database, purging, connectionFor)), { tenants: 1 });
    const tenant = right(await findTenant(database, 'other'));
    t.is(right(await countRecords(database, tenant)).repos, other.repos.length);
  });
});

test.serial('a tenant of 100,000 findings is imported, read and deleted', async (t) => {
  const { storage } = citusAt(t, url());
  const drafts = Array.from({ length: 100_000 }, (_, i) => aDraft(`d${i}`, 'r'));
  const large = dataset({
    user: aUser('large'),
    sessions: [aSession('large')],
    repos: [aRepo('r')],
    fixDrafts: drafts,
  });
  await connected(url(), async (client) => {
    await fill(client, [large, other]);
    const last = { ...page, offset: drafts.length - 3 };
    const { total, rows } = await rowsFound(storage.findings(bySession('large'), last));
    t.deepEqual([total, rows.length], [drafts.length, 3]);
    const database = singleConnection(client);
    const options = { ...purging, batchSize: 10_000 };
    const tenant = right(await findTenant(database, 'large'));
    t.like(right(await deleteTenant(database, tenant, options)), { rows: drafts.length + 1, isGone: true });
    t.is(right(await countRecords(database, { ...tenant, id: 'other' })).repos, other.repos.length);
  });
});

test.serial('a tenant gets a shard of its own, and is answered by it', async (t) => {
  const { roles, url: serving } = await memberOfCitus(url(), 'serve');
  await connected(url(), async (client) => {
    const [id = ''] = await fillWorkers(client);
    const { storage } = citusAt(t, serving);
    const read = () => rowsFound(storage.prs(bySession(id), { ...page, status: undefined }));
    t.is((await read()).total, 1);
    await client.query(`ALTER ROLE ${roles.owner} LOGIN`);
    const { rows } = await client.query(
      "SELECT isolate_tenant_to_new_shard('triage.repos', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes') AS shard",
      [id],
    );
    await client.query(`ALTER ROLE ${roles.owner} NOLOGIN`);
    const { rows: own } = await client.query(
      "SELECT get_shard_id_for_distribution_column('triage.repos', $1::text) AS shard",
      [id],
    );
    t.deepEqual(own, rows);
    t.is((await read()).total, 1);
    await resultOf(storage.signUp(await newAccount('later'), null));
    t.true((await rowsFound(storage.repos(bySession('later')))).length > 0);
  });
});

let shared: CitusStorage | undefined;
test.after.always(async () => shared?.close());

const cases = storageConformance(async (datasets) => {
  shared ??= openCitus(url());
  await clear(url());
  await connected(url(), (client) => fill(client, datasets));
  return { storage: shared.storage, close: async () => {} };
}, patient);

for (const { name, run } of cases) {
  test.serial(`Citus: ${name}`, async (t) => {
    await t.notThrowsAsync(run());
  });
}
