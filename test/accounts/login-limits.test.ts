import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { hashingQueue } from '../../src/accounts/login-limits.js';
import { seededRandom } from '../../src/common/seeded-random.js';
import { aVisitor, outcome } from './_accounts.js';

/** A queue whose work goes on until the test ends it; `begun` has the names of what was begun, in order. */
const aQueue = (limits: Partial<Parameters<typeof hashingQueue>[0]> = {}, seed = 1) => {
  const all = { atOnce: 1, waiting: 100, waitingPerNetwork: 100, ...limits };
  const queue = hashingQueue(all, seededRandom(seed));
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const work = async (name: string) => {
    begun.push(name);
    await new Promise<void>((resolve) => endings.push(resolve));
    return E.right(undefined);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    settled,
    /** Comes as a visitor; resolves to what becomes of it. */
    come: (network: string, name = network, hasLeft = () => false) =>
      outcome(queue.forVisitor({ network, hasLeft }, () => work(name))),
    queue,
    /** Ends what was begun first, and waits until what follows has begun. */
    end: async (): Promise<void> => {
      await settled();
      endings.shift()?.();
      await settled();
    },
  };
};

for (const [full, limits] of [
  ['a full queue', { waiting: 5 }],
  ['a network at its limit', { waitingPerNetwork: 3 }],
] as const) {
  test(`in ${full}, a random login of the busiest network is refused, and those of quiet networks stay`, async (t) => {
    const goneOf = new Set<string>();
    for (let i = 0; i < 50 && goneOf.size < 4; i += 1) {
      const { come, end } = aQueue(limits, i);
      void come('a', 'first');
      const quiet = ['b', 'c'].map((network) => come(network));
      const crowd = ['1', '2', '3', '4'].map((name) => come('a', name));
      for (let done = 0; done < 6; done += 1) await end();
      t.deepEqual(await Promise.all(quiet), ['done', 'done']);
      const outcomes = await Promise.all(crowd);
      t.deepEqual(outcomes.toSorted(), ['Busy', 'done', 'done', 'done']);
      goneOf.add(String(outcomes.indexOf('Busy')));
    }
    t.is(goneOf.size, 4, 'each of them, with one seed or another');
  });
}

test('logins whose clients have gone make room in a full queue', async (t) => {
  const { come, begun, end } = aQueue({ waiting: 2 });
  let hasLeft = false;
  void come('a', 'first');
  const gone = ['1', '2'].map((name) => come('b', name, () => hasLeft));
  hasLeft = true;
  const staying = ['c', 'd'].map((address) => come(address));
  t.deepEqual(await Promise.all(gone), ['Busy', 'Busy']);
  for (let i = 0; i < 3; i += 1) await end();
  t.deepEqual(begun, ['first', 'c', 'd']);
  t.deepEqual(await Promise.all(staying), ['done', 'done']);
});

test('a login that throws while its password is hashed makes room for the next', async (t) => {
  const { come, begun, queue } = aQueue();
  const visitor = aVisitor();
  const throwing = queue.forVisitor(visitor, () => Promise.reject(new Error('out of memory')));
  await t.throwsAsync(throwing, { message: 'out of memory' });
  void come('b', 'next');
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(begun, ['next']);
});
