import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type HashingLimits, hashingQueue } from '../../src/accounts/hashing-queue.js';
import { outcome } from './_accounts.js';

/** A queue whose work goes on until the test ends it; `begun` has the names of what was begun, in order. */
const aQueue = (limits: Partial<HashingLimits> = {}) => {
  const queue = hashingQueue({ atOnce: 1, waiting: 100, waitingPerAddress: 100, ...limits });
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => endings.push(resolve));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    settled,
    /** Comes as a visitor; resolves to what becomes of it. */
    come: (address: string, name = address, hasLeft = () => false) =>
      outcome(queue.forVisitor({ address, hasLeft }, TE.fromTask(work(name)))),
    queue,
    /** Ends what was begun first, and waits until what follows has begun. */
    end: async (): Promise<void> => {
      await settled();
      endings.shift()?.();
      await settled();
    },
  };
};

test('at most so many passwords are hashed at once; the others wait', async (t) => {
  const { come, begun, end, settled } = aQueue({ atOnce: 2 });
  const all = ['1', '2', '3', '4'].map((name) => come('a', name));
  await settled();
  t.deepEqual(begun, ['1', '2']);
  await end();
  t.deepEqual(begun, ['1', '2', '3']);
  for (let i = 0; i < 3; i += 1) await end();
  t.deepEqual(await Promise.all(all), ['done', 'done', 'done', 'done']);
});

test('addresses take turns: many visitors from one do not delay one from another', async (t) => {
  const { come, begun, end } = aQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void come('a', name);
  for (const name of ['b1', 'b2']) void come('b', name);
  void come('c', 'c1');
  for (let i = 0; i < 7; i += 1) await end();
  t.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
});

test('a visitor beyond the limit of the address, or of all, is refused; one from elsewhere waits', async (t) => {
  const { come, begun, settled } = aQueue({ waiting: 3, waitingPerAddress: 2 });
  for (const name of ['1', '2', '3']) void come('a', name);
  t.is(await come('a', '4'), 'Busy');
  void come('b', '5');
  t.is(await come('c', '6'), 'Busy');
  await settled();
  t.deepEqual(begun, ['1']);
});

test('work whose visitor has left meanwhile is dropped before it is begun', async (t) => {
  const { come, begun, end } = aQueue();
  let hasLeft = false;
  void come('a', 'first');
  const gone = ['1', '2', '3'].map((name) => come('b', name, () => hasLeft));
  void come('c', 'last');
  hasLeft = true;
  await end();
  t.deepEqual(begun, ['first', 'last']);
  await end();
  t.deepEqual(await Promise.all(gone), ['Busy', 'Busy', 'Busy']);
});

test('visitors who have left give up their places in a full queue', async (t) => {
  const { come, begun, end } = aQueue({ waiting: 2 });
  let hasLeft = false;
  void come('a', 'first');
  const gone = ['1', '2'].map((name) => come('b', name, () => hasLeft));
  t.is(await come('c', 'too early'), 'Busy');
  hasLeft = true;
  void come('c', 'now');
  t.deepEqual(await Promise.all(gone), ['Busy', 'Busy']);
  await end();
  t.deepEqual(begun, ['first', 'now']);
});

test('work that throws ends its turn', async (t) => {
  const { come, begun, queue } = aQueue();
  const visitor = { address: 'a', hasLeft: () => false };
  const throwing = queue.forVisitor(visitor, () => Promise.reject(new Error('out of memory')));
  await t.throwsAsync(throwing(), { message: 'out of memory' });
  void come('b', 'next');
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(begun, ['next']);
});
