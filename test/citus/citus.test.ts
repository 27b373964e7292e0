import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../src/codecs/timestamp.js';
import { resultOf } from '../../src/storage/conformance/assertions.js';
import { newAccount } from '../../src/storage/conformance/new-records.js';
import { acme, other } from '../../src/storage/conformance/sample-tenants.js';
import { citusFold } from '../../src/storage/postgres/citus/citus-fold.js';
import { citusPurge } from '../../src/storage/postgres/citus/citus-purge.js';
import { deleteRowsOfTenant, forgetTenant } from '../../src/storage/postgres/citus/delete-tenant-rows.js';
import type { Database } from '../../src/storage/postgres/database.js';
import { singleConnection } from '../../src/storage/postgres/database.js';
import { migrate } from '../../src/storage/postgres/migrate.js';
import { recount, type TenantCounts } from '../../src/storage/postgres/recount.js';
import { roleNames } from '../../src/storage/postgres/roles.js';
import { distributionNames } from '../../src/storage/postgres/schema.js';
import { countRecords, deleteTenant, findTenant } from '../../src/storage/postgres/tenants.js';
import { at, now } from '../_data.js';
import { bySession } from '../_storage.js';
import { fill } from '../storage/postgres/_fill.js';
import { connected, urlWith } from '../storage/postgres/_postgres.js';
import { aRolePrefix } from '../storage/postgres/_role.js';
import { clear, withCitus } from './_citus.js';
import { openCitus, right, untilReady } from './_storage.js';
import { fillWorkers } from './_tenants.js';

const { cluster, url } = withCitus(test);
const page = { repoId: undefined, offset: 0, limit: 10 };

test.serial.beforeEach(() => clear(url()));

test.serial(
  'a database that has rows is distributed without loss, and a second time nothing happens',
  async (t) => {
    const database = await cluster().database('with_rows');
    const { storage, close } = openCitus(database);
    const read = storage.findings(bySession('acme-cookie'), page);
    await connected(database, async (client) => {
      right(await migrate(client)());
      await fill(client, [acme, other]);
      t.is((await resultOf(read)).total, acme.fixDrafts.length, 'as long as it is not distributed');
      await client.query("UPDATE triage.fix_drafts SET status = 'resolved' WHERE user_id = 'acme'");
      const names = (await distributionNames()).map((name) => `citus/${name}`);
      t.deepEqual(await migrate(client, { citus: true })(), E.right(names));
      t.deepEqual(await migrate(client, { citus: true })(), E.right([]));
      t.deepEqual(await migrate(client)(), E.right([]), 'a distributed database stays so');
      const wrong: TenantCounts[] = [];
      right(
        await recount(singleConnection(client), {
          correct: false,
          onTenant: (counts) => wrong.push(counts),
          shouldStop: () => false,
        })(),
      );
      t.deepEqual(
        wrong.map(({ tenant, wrong: counts }) => [tenant, counts]),
        [
          ['acme', []],
          ['other', []],
        ],
      );
      const tenant = right(await findTenant(singleConnection(client), 'acme')());
      t.is(right(await countRecords(singleConnection(client), tenant)()).fixDrafts, acme.fixDrafts.length);
    });
    t.true(E.isLeft(await read()), 'this answer tells the server that the database has changed');
    t.is((await resultOf(read)).total, acme.fixDrafts.length);
    await close();
  },
);

test.serial(
  'only a coordinator with the extension and workers, as a superuser, is distributed',
  async (t) => {
    await connected(cluster().url('postgres'), async (client) => {
      await client.query('CREATE DATABASE plain');
    });
    await connected(cluster().url('plain'), async (client) => {
      const refused = async (connection = client) => {
        const result = await migrate(connection, { citus: true })();
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
  },
);

test.serial('a query that Citus does not delegate is an error, not an empty list', async (t) => {
  await connected(url(), async (client) => {
    const [id] = await fillWorkers(client);
    const calls = [
      'triage.tenant_repos($1, NULL, 200)',
      'triage.tenant_findings($1, NULL, NULL, 0, 10)',
      "triage.tenant_finding($1, NULL, 'd')",
      'triage.tenant_prs($1, NULL, NULL, NULL, 0, 10)',
    ];
    for (const call of calls) {
      const { rows } = await client.query(`SELECT ${call} AS result`, [id]);
      t.is(String(rows[0].result).split('\u001e')[0], '1', call);
      // Citus delegates a call in FROM only if nothing else is there.
      t.deepEqual((await client.query(`SELECT * FROM ${call} AS result`, [id])).rows, rows, call);
      for (const wrapped of [
        `SELECT length(${call})`,
        `SELECT ${call} || ''`,
        `SELECT ${call}, 1`,
        `SELECT (SELECT ${call})`,
        `SELECT ${call} UNION ALL SELECT ''`,
        `SELECT * FROM ${call} r, generate_series(1, 2)`,
        `WITH r AS MATERIALIZED (SELECT ${call} AS result) SELECT result, 1 FROM r`,
      ])
        await t.throwsAsync(client.query(wrapped, [id]), { code: '55T01' }, wrapped);
      await client.query('BEGIN');
      await t.throwsAsync(
        client.query(`SELECT ${call}`, [id]),
        { code: '55T01' },
        `${call} in a transaction`,
      );
      await client.query('ROLLBACK');
      // As a prepared statement, however often: as long as its plan is not a general one.
      for (let i = 0; i < 8; i += 1)
        t.deepEqual(
          (await client.query({ name: call, text: `SELECT ${call} AS result`, values: [id] })).rows,
          rows,
        );
      await client.query("SET plan_cache_mode = 'force_generic_plan'");
      const again = { name: `${call} again`, text: `SELECT ${call}`, values: [id] };
      await t.throwsAsync(client.query(again), { code: '55T01' }, `${call} with a general plan`);
      await client.query('RESET plan_cache_mode');
    }
  });
});

test.serial(
  'a role that reads without a tenant gets an error from the workers, not an empty list',
  async (t) => {
    const roles = roleNames(aRolePrefix());
    const name = aRolePrefix();
    await connected(url(), async (client) => {
      right(await migrate(client, { roles })());
      await fillWorkers(client);
      await client.query(`CREATE ROLE ${name} LOGIN IN ROLE ${roles.read}`);
      // A role that bypasses row-level security writes rows of all tenants; the triggers note each change.
      await client.query("UPDATE triage.fix_drafts SET status = 'resolved'");
      const { rows } = await client.query('SELECT count(*)::integer AS count FROM triage.changes');
      t.deepEqual(rows, [{ count: 2 }]);
    });
    await connected(urlWith(url(), { username: name }), async (client) => {
      await t.throwsAsync(client.query("SELECT FROM triage.repos WHERE user_id = 't1'"), { code: '55T01' });
      await t.throwsAsync(client.query('SELECT count(*) FROM triage.repos'), { code: '55T01' });
      await client.query('BEGIN');
      await client.query("SET LOCAL citus.propagate_set_commands = 'local'");
      await client.query("SET LOCAL triage.user_id = 't1'");
      await t.notThrowsAsync(client.query("SELECT FROM triage.repos WHERE user_id = 't1'"));
      await client.query('ROLLBACK');
    });
  },
);

test.serial(
  'a role for serving signs up, reads, folds, deletes and purges, and reads no table of accounts',
  async (t) => {
    const roles = roleNames(aRolePrefix());
    const name = aRolePrefix();
    await connected(url(), async (client) => {
      right(await migrate(client, { roles })());
      await client.query(`CREATE ROLE ${name} LOGIN IN ROLE ${roles.serve}`);
      await fill(client, [acme]);
    });
    const serving = urlWith(url(), { username: name });
    const { storage, citus, close } = openCitus(serving);
    await untilReady(storage);
    for (const id of ['u1', 'u2', 'u3', 'u4']) await resultOf(storage.signUp(await newAccount(id), null));
    t.deepEqual(
      await storage.signUp(await newAccount('u5', 'u1@new.test'), null)(),
      E.left({ _tag: 'EmailTaken' }),
    );
    const { total } = await resultOf(storage.findings(bySession('u1'), page));
    await connected(serving, async (client) => {
      const coordinator = singleConnection(client);
      right(await citusFold(coordinator, citus.worker)());
      t.true(await resultOf(storage.deleteAccount({ userId: 'u2' })));
      const options = {
        at: timestampAt(at(now)),
        batchSize: 10,
        onProgress: () => {},
        shouldStop: () => false,
      };
      right(await citusPurge(coordinator, citus.worker, options)());
      for (const table of ['users', 'sessions', 'api_tokens'])
        await t.throwsAsync(client.query(`SELECT FROM triage.${table}`), { code: '42501' }, table);
    });
    t.is((await resultOf(storage.findings(bySession('u1'), page))).total, total);
    t.deepEqual(await storage.repos(bySession('u2'))(), E.left({ _tag: 'Unauthorized' }));
    await connected(url(), async (client) => {
      const { rows } = await client.query(
        `SELECT (SELECT count(*)::int FROM triage.changes) AS changes,
         (SELECT count(*)::int FROM triage.repos WHERE user_id = 'u2') AS repos,
         (SELECT count(*)::int FROM triage.users WHERE id IN ('u2', 'u5')) AS users`,
      );
      t.like(rows[0], { changes: 0, repos: 0 });
    });
    await close();
  },
);

test.serial('roles have the same rights on a worker that was added later', async (t) => {
  const roles = roleNames(aRolePrefix());
  const database = await cluster().database('grown', 1);
  await connected(cluster().url('postgres', 2), (client) => client.query('CREATE DATABASE grown'));
  await connected(cluster().url('grown', 2), (client) => client.query('CREATE EXTENSION citus'));
  await connected(database, async (client) => {
    right(await migrate(client, { citus: true, roles })());
    await client.query("SELECT citus_add_node('127.0.0.1', $1)", [
      Number(new URL(cluster().url('', 2)).port),
    ]);
    right(await migrate(client, { roles })());
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

test.serial('an account is not opened on rows that somebody left behind', async (t) => {
  const { storage, close } = openCitus(url());
  await connected(url(), async (client) => {
    await fill(client, [acme]);
    await client.query("DELETE FROM triage.users WHERE id = 'acme'");
  });
  t.like(await storage.signUp(await newAccount('acme'), null)(), E.left({ _tag: 'StorageFailed' }));
  t.deepEqual(await storage.repos(bySession('acme'))(), E.left({ _tag: 'Unauthorized' }));
  await close();
});

test.serial(
  'a sign-up that ends in between leaves nothing behind once its reservation has ended',
  async (t) => {
    await connected(url(), async (client) => {
      const database = singleConnection(client);
      await client.query("SELECT triage.reserve_account('half', 'half@new.test')");
      await client.query(
        `SELECT triage.tenant_first_rows('half', '{"repos":[{"id":"r","owner":"o","repo":"r","defaultBranch":"m",
        "isDemoRow":false,"scanStatusBadge":"","status":""}]}')`,
      );
      const purge = async () => {
        const options = {
          at: timestampAt(at(now)),
          batchSize: 10,
          onProgress: () => {},
          shouldStop: () => false,
        };
        return right(await citusPurge(database, () => database, options)());
      };
      t.like(await purge(), { tenants: 0, rows: 0 }, 'a sign-up in progress is left alone');
      await client.query("UPDATE triage.users SET deleted_at = now() WHERE id = 'half'");
      t.like(await purge(), { tenants: 1, rows: 1 });
      const { rows } = await client.query("SELECT FROM triage.repos WHERE user_id = 'half'");
      t.deepEqual(rows, []);
    });
  },
);

test.serial('a tenant that is imported again while another is purged keeps its new rows', async (t) => {
  await connected(url(), async (client) => {
    await fill(client, [acme, other]);
    await client.query("SELECT triage.mark_deleted('acme'), triage.mark_deleted('other')");
    const database = singleConnection(client);
    let isImported = false;
    // Another process finishes the deletion of the second tenant while this one deletes the first.
    const onWorker: Pick<Database, 'query'> = {
      query: (statement) => async () => {
        if (!isImported) {
          isImported = true;
          right(await deleteRowsOfTenant(database, 'other', 1_000_000)());
          t.true(right(await forgetTenant(database, 'other')()));
          await fill(client, [other]);
        }
        return database.query(statement)();
      },
    };
    const options = {
      at: timestampAt(at(now)),
      batchSize: 10,
      onProgress: () => {},
      shouldStop: () => false,
    };
    t.like(right(await citusPurge(database, () => onWorker, options)()), { tenants: 1 });
    const tenant = right(await findTenant(database, 'other')());
    t.is(right(await countRecords(database, tenant)()).repos, other.repos.length);
  });
});

test.serial('a tenant is deleted with every row, and the others are not', async (t) => {
  await connected(url(), async (client) => {
    await fill(client, [acme, other]);
    const database = singleConnection(client);
    const tenant = right(await findTenant(database, 'acme')());
    const options = { onProgress: () => {}, shouldStop: () => false, batchSize: 3 };
    t.like(right(await deleteTenant(database, tenant, options)()), { isGone: true });
    const { rows } = await client.query(
      `SELECT DISTINCT user_id FROM (SELECT user_id FROM triage.repos UNION ALL SELECT user_id FROM triage.changes
       UNION ALL SELECT user_id FROM triage.lists UNION ALL SELECT user_id FROM triage.pull_requests) r`,
    );
    t.deepEqual(rows, [{ user_id: 'other' }]);
  });
});

test.serial('what writers change is counted on the worker, and the answer is new at once', async (t) => {
  const { storage, close } = openCitus(url());
  await connected(url(), async (client) => {
    const [id = ''] = await fillWorkers(client);
    const total = async () => (await resultOf(storage.findings(bySession(id), page))).total;
    t.is(await total(), 1);
    await client.query(
      `INSERT INTO triage.fix_drafts
       SELECT $1, 'n' || i, 'r', 'A', '', '', '', '', 'low', 0, 0, 'pending', '', now(), now() FROM generate_series(1, 4000) i`,
      [id],
    );
    t.is(await total(), 4001);
    right(await citusFold(singleConnection(client), () => singleConnection(client))());
    t.is(await total(), 4001);
    await client.query("DELETE FROM triage.fix_drafts WHERE user_id = $1 AND id LIKE 'n%'", [id]);
    t.is(await total(), 1);
    right(await citusFold(singleConnection(client), () => singleConnection(client))());
    right(
      await recount(singleConnection(client), {
        correct: false,
        onTenant: ({ wrong }) => t.deepEqual(wrong, []),
        shouldStop: () => false,
      })(),
    );
  });
  await close();
});

test.serial(
  'a tenant with a shard of its own is answered, and then by functions for this shard',
  async (t) => {
    const roles = roleNames(aRolePrefix());
    const name = aRolePrefix();
    await connected(url(), async (client) => {
      right(await migrate(client, { roles })());
      const [id = ''] = await fillWorkers(client);
      await client.query(`CREATE ROLE ${name} LOGIN IN ROLE ${roles.serve}`);
      const { storage, close } = openCitus(urlWith(url(), { username: name }));
      const readers = async () => {
        const { rows } = await client.query(
          `SELECT triage.reader('read_prs', $1) = 'triage.read_prs' AS "isGeneral",
           has_function_privilege($2, to_regproc(triage.reader('read_prs', $1)), 'EXECUTE') AS "mayServe",
           (SELECT count(*)::integer FROM pg_proc WHERE proname ~ '^read_prs_on_') AS editions,
           (SELECT count(*)::integer FROM pg_dist_shard WHERE logicalrelid = 'triage.repos'::regclass) AS shards`,
          [id, name],
        );
        return rows[0];
      };
      const { shards } = await readers();
      t.deepEqual(await readers(), { isGeneral: false, mayServe: true, editions: shards, shards });
      t.is((await resultOf(storage.prs(bySession(id), { ...page, status: undefined }))).total, 1);
      await client.query('SET citus.enable_unsafe_triggers = on');
      await client.query(`ALTER ROLE ${roles.owner} LOGIN`);
      await client.query(
        "SELECT isolate_tenant_to_new_shard('triage.repos', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')",
        [id],
      );
      await client.query(`ALTER ROLE ${roles.owner} NOLOGIN`);
      t.like(await readers(), { isGeneral: true, mayServe: true });
      t.is((await resultOf(storage.prs(bySession(id), { ...page, status: undefined }))).total, 1);
      await client.query('SELECT triage.make_shard_readers()');
      const after = await readers();
      t.deepEqual(after, { isGeneral: false, mayServe: true, editions: after.shards, shards: after.shards });
      t.true(after.shards > shards);
      t.is((await resultOf(storage.prs(bySession(id), { ...page, status: undefined }))).total, 1);
      await close();
    });
  },
);
