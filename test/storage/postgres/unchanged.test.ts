import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { acme, other } from '../../../src/storage/conformance/sample-tenants.js';
import type { Storage, StorageError, Unauthorized } from '../../../src/storage/port.js';
import { citusAccess } from '../../../src/storage/postgres/citus.js';
import type { Database } from '../../../src/storage/postgres/database.js';
import { postgresReads, type WatchCache } from '../../../src/storage/postgres/reads.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { cookie, serve } from '../../_server.js';
import { bySession } from '../../_storage.js';
import { startEmbedded } from './_embedded.js';
import { connected, fill, opened, prepare, storageAt, withPostgres } from './_postgres.js';
import { proxyTo } from './_proxy.js';
import { answersOf, everything, type Reads, readsBy } from './_reads.js';

const { database, filled } = withPostgres(test);

const credentials = bySession('acme-cookie');
const reads: Reads = {
  ...readsBy(credentials),
  // It can stay the same row while the total changes.
  'first finding': (storage) => storage.findings(credentials, { ...everything, limit: 1 }),
  'second page of prs': (storage) => storage.prs(credentials, { ...everything, offset: 2, limit: 2 }),
};

const own = "user_id = 'acme'";

type Change = readonly [table: string, set: string, where?: string | undefined];

/** Changes of everything that an answer shows. */
const changes: readonly Change[] = [
  ['fix_drafts', "ci_status = ci_status || '!'"],
  ['fix_drafts', "package = package || '!'"],
  ['fix_drafts', "advisory_id = advisory_id || '!'"],
  ['fix_drafts', 'reachability = reachability + 0.0000000001'],
  ['fix_drafts', "status = 'resolved'"],
  ['fix_drafts', "discovered_at = discovered_at + interval '1 day'", "id = 'd1'"],
  ['repos', "owner = owner || '!'"],
  ['repos', "repo = repo || '!'"],
  ['repos', "default_branch = 'trunk'"],
  ['scans', "error = 'new'"],
  ['scans', "started_at = started_at + interval '1 day'"],
  ['scans', "finished_at = finished_at + interval '1 millisecond'"],
  ['pull_requests', "branch = branch || '!'"],
  ['pull_requests', "pr_state = 'open'"],
  ['pull_requests', "updated_at = updated_at + interval '1 day'"],
];
const update = ([table, set, where = 'true']: Change): string =>
  `UPDATE triage.${table} SET ${set} WHERE ${own} AND ${where}`;

/** Deletions, some of which leave the rows of a page as they are, and a change that no answer shows. */
const others: readonly string[] = [
  `DELETE FROM triage.pull_requests WHERE ${own} AND draft_id = 'd1'`,
  `DELETE FROM triage.fix_drafts WHERE ${own} AND id = 'd1'`,
  `DELETE FROM triage.repos WHERE ${own} AND id = 'api'`,
  "UPDATE triage.fix_drafts SET ci_status = 'x' WHERE user_id = 'other'",
];

test('after any change, every process sees it with its next request', async (t) => {
  const url = await filled(t, acme, other);
  await connected(url, async (client) => {
    const processes = [storageAt(t, url), storageAt(t, url)];
    for (const change of [...changes.map(update), ...others]) {
      for (const storage of processes) await answersOf(storage, reads);
      await client.query(change);
      const fresh = await answersOf(storageAt(t, url), reads);
      for (const storage of processes) t.deepEqual(await answersOf(storage, reads), fresh, change);
    }
  });
});

/**
 * A cluster to which nothing has happened but the same statements as to another, so that both number
 * transactions alike.
 */
const twin = async (t: ExecutionContext) => {
  const server = await startEmbedded();
  t.teardown(server.stop);
  await prepare(server, 'twin');
  const url = server.url('twin');
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  t.teardown(() => client.end());
  return { url, client };
};

/** Reads until the database answers: after it was away, a lost connection may be found first. */
const answers = async (storage: Storage): Promise<Readonly<Record<string, unknown>>> => {
  while (E.isLeft(await storage.repos(credentials))) await new Promise((resolve) => setTimeout(resolve, 20));
  return answersOf(storage, reads);
};

test('when another database takes the place of one, the next answer is its content', async (t) => {
  const [left, right] = [await twin(t), await twin(t)];
  const proxy = await proxyTo(t, left.url);
  const storage = storageAt(t, proxy.url, { timeLimit: 60_000 });
  const fewer = `DELETE FROM triage.fix_drafts WHERE ${own} AND id = 'a/b c%d'`;
  for (const [unlike, alike] of [
    // Rows that are written again have the number of another transaction, whatever they hold.
    ...changes.map((change) => [update(change), update([change[0], 'id = id', change[2]])] as const),
    [fewer, `${fewer} AND false`],
  ] as const) {
    for (const { client, statement } of [
      { client: left.client, statement: alike },
      { client: right.client, statement: unlike },
    ]) {
      await client.query('TRUNCATE triage.users CASCADE');
      await fill(client, [acme]);
      await client.query(statement);
    }
    const before = await answers(storage);
    t.deepEqual(before, await answers(storageAt(t, left.url)), unlike);
    await proxy.down();
    await proxy.up(right.url);
    const after = await answers(storage);
    t.deepEqual(after, await answers(storageAt(t, right.url)), unlike);
    t.notDeepEqual(after, before, unlike);
    await proxy.down();
    await proxy.up(left.url);
  }
});

/** A database that notes whether the rows of an answer came along. */
const observed = (t: ExecutionContext, url: string) => {
  const database = opened(t, url);
  const sent: boolean[] = [];
  const observing: Database = {
    ...database,
    query: async (statement) => {
      const result = await database.query(statement);
      if (E.isRight(result))
        for (const row of result.right) sent.push(row !== null && Object(row).rows !== null);
      return result;
    },
  };
  return { storage: postgresStorage({ database: observing }, () => {}), sent };
};

test('while nothing changes, rows are sent once, and an answer is the same object', async (t) => {
  const url = await filled(t, acme);
  const { storage, sent } = observed(t, url);
  for (const [name, read] of Object.entries(reads)) {
    sent.length = 0;
    const [first, second] = [await read(storage), await read(storage)];
    if (E.isLeft(first) || E.isLeft(second)) return t.fail(name);
    t.is(second.right, first.right, name);
    const isEmpty = name === 'no finding' || name === 'findings beyond the last';
    t.deepEqual(sent, [!isEmpty, false], name);
  }
});

test('an answer that is known is refused to whoever may not have it', async (t) => {
  const url = await database(t);
  await connected(url, async (client) => {
    await fill(client, [acme]);
    const storage = storageAt(t, url);
    t.true(E.isRight(await storage.findings(credentials, everything)));
    await client.query('DELETE FROM triage.sessions');
    t.deepEqual(await storage.findings(credentials, everything), E.left({ _tag: 'Unauthorized' }));
  });
});

test('a connection that has lost its prepared statements is asked without them', async (t) => {
  const url = await filled(t, acme);
  const single = opened(t, url, { poolSize: 1 });
  const storage = postgresStorage({ database: single }, () => {});
  t.true(E.isRight(await storage.repos(credentials)));
  t.true(E.isRight(await single.query({ text: 'DEALLOCATE ALL', values: [] })));
  t.true(E.isRight(await storage.repos(credentials)));
  t.true(E.isRight(await storage.prs(credentials, everything)));
});

test('a read says whose credentials it accepted, and pools and caches say how they are used', async (t) => {
  const url = await filled(t, acme);
  const caches = new Map<string, Parameters<WatchCache>[1]>();
  const pool = opened(t, url);
  const storage = postgresStorage(
    { database: pool },
    () => {},
    undefined,
    (call, figures) => caches.set(call, figures),
  );
  const { ask, accessed, untilAccessed } = await serve(t, [], { storage });
  for (const session of ['acme-cookie', 'acme-cookie', 'unknown']) {
    await ask('/api/v1/findings', cookie(session));
  }
  await untilAccessed(3);
  t.deepEqual(
    accessed.map(({ tenantId }) => tenantId),
    ['acme', 'acme', null],
  );
  t.deepEqual([...caches.keys()], ['repos', 'findings', 'finding', 'prs']);
  const { hits, misses, size } = caches.get('findings')?.() ?? { hits: 0, misses: 0, size: 0 };
  t.deepEqual([hits, misses, size > 0], [1, 2, true]);
  const { total, idle, waiting } = pool.connections();
  t.deepEqual([total > 0, idle <= total, waiting], [true, true, 0]);
});

const page = { repoId: undefined, offset: 0, limit: 10 };

type Answer = E.Either<StorageError | Unauthorized, readonly unknown[]>;

/** A list of so many findings, none of which is on the page. */
const listOf = (total: number): Answer =>
  E.right([{ userId: 'acme', useDue: false, total: String(total), version: String(total), rows: null }]);

const unavailable: Answer = E.left({ _tag: 'StorageUnavailable', cause: new Error('no answer') });
const failed: Answer = E.left({ _tag: 'StorageFailed', cause: new Error('a fault') });
const unauthorized: Answer = E.right([]);

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Reads from a database that answers each query when the test says so. */
const waitingReads = () => {
  const queries: ((answer: Answer) => void)[] = [];
  const reads = postgresReads({
    send: () => new Promise((resolve) => queries.push(resolve)),
    recordTokenUse: () => {},
    watchCache: () => {},
  });
  return {
    /** How many queries have been sent, once nothing more happens by itself. */
    sent: async () => {
      await settled();
      return queries.length;
    },
    answer: async (index: number, answer: Answer) => {
      await settled();
      queries[index]?.(answer);
    },
    /** The total that a request gets, or why it gets none. */
    request: async (over: Partial<typeof page> = {}, by = credentials) => {
      const found = await reads.findings(by, { ...page, ...over });
      return E.isRight(found) ? found.right.total : found.left._tag;
    },
  };
};

test('requests that arrive while an equal one runs share the next query, which begins after all of them', async (t) => {
  const { sent, answer, request } = waitingReads();
  const first = request();
  const later = [request(), request(), request()];
  t.is(await sent(), 1);
  // A row is written now: the first query has not seen it, and the later requests must.
  await answer(0, listOf(1));
  t.is(await first, 1);
  t.is(await sent(), 2);
  const latest = request();
  await answer(1, listOf(2));
  t.deepEqual(await Promise.all(later), [2, 2, 2]);
  t.is(await sent(), 3, 'a request that arrives while the shared query runs does not get its answer');
  await answer(2, listOf(3));
  t.is(await latest, 3);
  const alone = request();
  t.is(await sent(), 4);
  await answer(3, listOf(4));
  t.is(await alone, 4);
});

test('requests for another page, or with other credentials, do not wait', async (t) => {
  const { sent, answer, request } = waitingReads();
  const all = [request(), request({ offset: 10 }), request({}, bySession('other-cookie'))];
  t.is(await sent(), 3);
  for (const index of [2, 1, 0]) await answer(index, listOf(index));
  t.deepEqual(await Promise.all(all), [0, 1, 2]);
});

test('one query that the database does not answer answers all that wait', async (t) => {
  const { sent, answer, request } = waitingReads();
  const all = [request(), request(), request()];
  await answer(0, unavailable);
  t.deepEqual(await Promise.all(all), ['StorageUnavailable', 'StorageUnavailable', 'StorageUnavailable']);
  t.is(await sent(), 1);
  const next = request();
  t.is(await sent(), 2, 'the next request tries again');
  await answer(1, listOf(1));
  t.is(await next, 1);
});

test('after any other failure, those that wait get an answer of their own', async (t) => {
  for (const failure of [failed, unauthorized]) {
    const { answer, request } = waitingReads();
    const [first, second] = [request(), request()];
    await answer(0, failure);
    t.true(['StorageFailed', 'Unauthorized'].includes(String(await first)));
    await answer(1, listOf(1));
    t.is(await second, 1);
  }
});

test('credentials that end while equal requests wait are refused to them', async (t) => {
  const { answer, request } = waitingReads();
  const [first, second] = [request(), request()];
  await answer(0, listOf(1));
  t.is(await first, 1);
  await answer(1, unauthorized);
  t.is(await second, 'Unauthorized');
});

test('a database that is distributed while a server runs is used as such after a failure', async (t) => {
  const failed: StorageError = { _tag: 'StorageFailed', cause: new Error('no tenant is set') };
  const unavailable: StorageError = { _tag: 'StorageUnavailable', cause: new Error('no connection') };
  let isDistributed = false;
  let asked = 0;
  const { choose } = citusAccess({
    coordinator: {
      query: async () => {
        asked += 1;
        return E.right(isDistributed ? [{ name: 'citus' }] : []);
      },
    },
    openWorker: () => {
      throw new Error('no worker is needed');
    },
  });
  const failing = (error: StorageError) =>
    choose(
      async () => E.left(error),
      async () => E.right('on Citus'),
    );
  t.deepEqual(await failing(unavailable), E.left(unavailable));
  isDistributed = true;
  t.deepEqual(await failing(failed), E.left(failed));
  t.is(asked, 1, 'what is known is kept until something fails');
  t.deepEqual(await failing(failed), E.right('on Citus'));
  t.deepEqual(await failing(failed), E.right('on Citus'));
  t.is(asked, 2);
});
