import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import type { Storage } from '../../../src/storage/port.js';
import type { Database, Statement } from '../../../src/storage/postgres/database.js';
import { postgresStorage } from '../../../src/storage/postgres/postgres-storage.js';
import { replicaWithFallback, type WatchedReplica } from '../../../src/storage/postgres/replica.js';
import { lagMeter } from '../../../src/storage/postgres/replica-lag.js';
import { serve } from '../../_server.js';
import { bySession } from '../../_storage.js';
import { fill } from './_fill.js';
import { opened } from './_opened.js';
import { connected, withPostgres } from './_postgres.js';
import { proxyTo, type Proxy as Way } from './_proxy.js';

const { database } = withPostgres(test);

const credentials = bySession('acme-cookie');

const leftOut = 'the replica is left out; the primary answers instead';

const ownersIn = async (storage: Storage): Promise<string> => {
  const answer = await storage.repos(credentials)();
  return E.isLeft(answer)
    ? answer.left._tag
    : [...new Set(answer.right.map(({ repo }) => repo.owner))].join();
};

type World = Readonly<{
  primaryUrl: string;
  replicaUrl: string;
  /** The way to the replica. */
  proxy: Way;
  /** The statements that the primary was asked on behalf of requests. */
  askedPrimary: Statement[];
  replica: WatchedReplica;
  storage: Storage;
  logged: readonly string[];
}>;

/** A database, and a copy of it in place of a replica, which differs in the owners of repositories. */
const world = async (t: ExecutionContext, timeLimit = 60_000): Promise<World> => {
  const [primaryUrl, replicaUrl] = [await database(t), await database(t)];
  for (const [url, owner] of [
    [primaryUrl, 'primary'],
    [replicaUrl, 'replica'],
  ] as const) {
    await connected(url, async (client) => {
      await fill(client, [acme]);
      await client.query('UPDATE triage.repos SET owner = $1', [owner]);
    });
  }
  const proxy = await proxyTo(t, replicaUrl);
  const askedPrimary: Statement[] = [];
  const onPrimary = opened(t, primaryUrl);
  const primary: Database = {
    ...onPrimary,
    query: (statement) => {
      askedPrimary.push(statement);
      return onPrimary.query(statement);
    },
  };
  const onReplica = opened(t, proxy.url, { timeLimit });
  const probes = { primary: onPrimary, replica: opened(t, proxy.url, { poolSize: 1, timeLimit: 60_000 }) };
  const logged: string[] = [];
  const replica = replicaWithFallback(
    { primary, replica: onReplica, probes, maxLag: 1000, timeLimit: 60_000 },
    { elapsed: () => 0, log: (level, event) => logged.push(`${level}: ${event}`) },
  );
  const storage = postgresStorage({ primary, replica }, () => {});
  return { primaryUrl, replicaUrl, proxy, askedPrimary, replica, storage, logged };
};

test('while the replica is down the primary answers, in one statement, and the server is ready', async (t) => {
  const { proxy, askedPrimary, replica, storage, logged } = await world(t);
  const { ask } = await serve(t, [], { storage });
  t.is(await ownersIn(storage), 'replica');
  await proxy.down();
  t.is(await ownersIn(storage), 'primary', 'the request that finds out is answered, too');
  t.false(replica.isRead());
  askedPrimary.length = 0;
  t.is(await ownersIn(storage), 'primary');
  t.is(askedPrimary.length, 1);
  t.is((await ask('/readyz')).status, 200);
  await replica.check();
  t.is(await ownersIn(storage), 'primary');
  t.deepEqual(logged, [`warn: ${leftOut}`]);

  await proxy.up();
  await replica.check();
  t.is(await ownersIn(storage), 'replica');
  await replica.check();
  t.deepEqual(logged, [`warn: ${leftOut}`, 'info: the replica is read again']);
});

test('a silent replica costs one request its share of the time, and no more', async (t) => {
  const { proxy, replica, storage } = await world(t, 2000);
  t.is(await ownersIn(storage), 'replica');
  proxy.silent();
  t.is(await ownersIn(storage), 'primary');
  t.false(replica.isRead());
});

test('a statement that fails on the replica is not asked again on the primary', async (t) => {
  const { replicaUrl, replica, storage, logged } = await world(t);
  await connected(replicaUrl, (client) => client.query('DROP FUNCTION triage.read_repos'));
  t.is(await ownersIn(storage), 'StorageFailed');
  t.true(replica.isRead());
  t.deepEqual(logged, []);
});

test('a statement that the replica cancels is answered by the primary, and the replica is still read', async (t) => {
  const { replicaUrl, replica, storage, logged } = await world(t);
  // What a standby does with a statement that conflicts with what it replays.
  await connected(replicaUrl, (client) =>
    client.query(
      `CREATE OR REPLACE FUNCTION triage.repos_of(caller text)
         RETURNS TABLE (last_scan_at timestamptz, id text, version bigint, shown json) LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'canceling statement due to conflict with recovery' USING ERRCODE = '40001'; END $$`,
    ),
  );
  t.is(await ownersIn(storage), 'primary');
  t.true(replica.isRead());
  t.deepEqual(logged, []);
});

test('a replica that lacks a migration is left out until it has arrived', async (t) => {
  const { replicaUrl, replica, storage, logged } = await world(t);
  const change = (sql: string) => connected(replicaUrl, (client) => client.query(sql));
  await change("DELETE FROM triage.migrations WHERE name LIKE '0004%'");
  await replica.check();
  t.is(await ownersIn(storage), 'primary');
  await change("INSERT INTO triage.migrations (name, run_on) VALUES ('0004_accounts', now())");
  await replica.check();
  t.is(await ownersIn(storage), 'replica');
  t.is(logged.length, 2);
});

/** A meter over a primary and a replica that answer what they are told to. */
const meter = (maxLag: number) => {
  const state = { at: 0, written: 0, replayed: 0, behind: 0, primaryIsUp: true };
  const answering = (row: () => unknown, isUp: () => boolean): Pick<Database, 'query'> => ({
    query: () => async () =>
      isUp() ? E.right([row()]) : E.left({ _tag: 'StorageUnavailable' as const, cause: 'down' }),
  });
  const ask = lagMeter(
    {
      primary: answering(
        () => ({ position: state.written }),
        () => state.primaryIsUp,
      ),
      replica: answering(
        () => ({ position: state.replayed, behind: state.behind }),
        () => true,
      ),
    },
    maxLag,
    () => state.at,
  );
  return async (change: Partial<typeof state>): Promise<boolean | null> => {
    Object.assign(state, change);
    const answer = await ask();
    if (E.isLeft(answer)) throw new Error(answer.left._tag);
    return answer.right;
  };
};

test('a replica is too far behind once it lacks what was written the maximum lag ago', async (t) => {
  const isBehind = meter(1000);
  t.false(await isBehind({ at: 0, written: 10, replayed: 10 }));
  t.false(await isBehind({ at: 250, written: 20, replayed: 19 }), 'a few milliseconds behind under load');
  t.false(await isBehind({ at: 500, written: 30, replayed: 29 }));
  t.false(await isBehind({ at: 1000, written: 40, replayed: 29 }));
  t.false(await isBehind({ at: 1250, written: 50, replayed: 29 }), 'it has what was written at 250');
  t.true(await isBehind({ at: 1500, written: 60, replayed: 29 }), 'it lacks what was written at 500');
  t.true(await isBehind({ at: 9000, written: 60, replayed: 29 }));
  t.false(await isBehind({ at: 9250, written: 60, replayed: 60 }));
});

test('an idle primary is no lag, and neither is a pause between two measurements', async (t) => {
  const isBehind = meter(1000);
  t.false(await isBehind({ at: 0, written: 10, replayed: 10, behind: 3_600_000 }));
  t.false(await isBehind({ at: 60_000, written: 10, replayed: 10 }));
  t.false(await isBehind({ at: 120_000, written: 20, replayed: 19 }));
});

test('at the start, the time of the last replayed transaction decides', async (t) => {
  t.true(await meter(1000)({ at: 5, written: 20, replayed: 10, behind: 1500 }));
  t.false(await meter(1000)({ at: 5, written: 20, replayed: 10, behind: 900 }));
});

test('while the primary cannot be asked, nothing is known', async (t) => {
  const isBehind = meter(1000);
  t.is(await isBehind({ primaryIsUp: false }), null);
});

test('a primary that is down does not change what is read', async (t) => {
  const { primaryUrl, replicaUrl } = await world(t);
  const way = await proxyTo(t, primaryUrl);
  const [primary, copy] = [opened(t, way.url), opened(t, replicaUrl)];
  const logged: string[] = [];
  const replica = replicaWithFallback(
    { primary, replica: copy, probes: { primary, replica: copy }, maxLag: 1000, timeLimit: 60_000 },
    { elapsed: () => 0, log: (_, event) => logged.push(event) },
  );
  await way.down();
  await replica.check();
  t.true(replica.isRead());
  t.deepEqual(logged, []);
  const storage = postgresStorage({ primary, replica }, () => {});
  t.is(await ownersIn(storage), 'StorageUnavailable');
  t.true(E.isLeft(await storage.ready()()));
});

test('a primary that stands in has a share of the time as well', async (t) => {
  const never: Database = { query: () => () => new Promise(() => {}), close: async () => {} };
  const unreachable: Database = {
    query: () => TE.left({ _tag: 'StorageUnavailable', cause: 'down' }),
    close: async () => {},
  };
  const replica = replicaWithFallback(
    {
      primary: never,
      replica: unreachable,
      probes: { primary: never, replica: never },
      maxLag: 1000,
      timeLimit: 20,
    },
    { elapsed: () => 0, log: () => {} },
  );
  const answer = await replica.query({ text: 'SELECT 1', values: [] })();
  t.true(E.isLeft(answer) && answer.left._tag === 'StorageUnavailable');
});
