import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { StorageError, Unauthorized } from '../../../src/storage/port.js';
import { postgresReads } from '../../../src/storage/postgres/reads.js';
import { bySession } from '../../_storage.js';

const credentials = bySession('acme-cookie');
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
    send: () => () => new Promise((resolve) => queries.push(resolve)),
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
      const found = await reads.findings(by, { ...page, ...over })();
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
