import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  type AttemptLimiter,
  attemptLimiter,
  type HashingLimits,
  hashingQueue,
} from '../../src/accounts/login-limits.js';
import { seededRandom } from '../../src/common/seeded-random.js';
import { limitsOf } from '../_limits.js';
import { aVisitor, outcome } from './_accounts.js';

const limits = limitsOf({ loginsPerAccount: 2, loginsPerAddress: 3, signUpsPerAddress: 1 });

const still = () => 0;

/** Logs in, with a right or a wrong password; resolves to the tag of the error, or to `done`. */
const logIn = (limiter: AttemptLimiter, email: string, address: string, isRight = true) =>
  outcome(
    limiter.logIn(email, aVisitor({ address }), async () =>
      isRight ? E.right('the user') : E.left({ _tag: 'WrongCredentials' }),
    ),
  );

const fail = (limiter: AttemptLimiter, email: string, address: string) =>
  logIn(limiter, email, address, false);

/** How long a login has to wait, in seconds. */
const waitOf = async (limiter: AttemptLimiter, email: string, address: string): Promise<number> => {
  const refused = await limiter.logIn(email, aVisitor({ address }), async () => E.right('the user'));
  return E.isLeft(refused) && refused.left._tag === 'TooManyAttempts' ? refused.left.retryAfterSeconds : 0;
};

test('failed logins to one account are limited for a minute, in any letter case of its address', async (t) => {
  let now = 0;
  const limiter = attemptLimiter(limits, () => now);
  await fail(limiter, 'a@b.test', '192.0.2.1');
  now = 20_000;
  await fail(limiter, 'A@B.test', '192.0.2.1');
  t.is(await waitOf(limiter, 'a@b.test', '192.0.2.1'), 40);
  t.is(await logIn(limiter, 'other@b.test', '192.0.2.1'), 'done');
  now = 60_000;
  t.is(await logIn(limiter, 'a@b.test', '192.0.2.1'), 'done');
});

test('failed logins to one account from everywhere have a limit of their own', async (t) => {
  const limiter = attemptLimiter({ ...limits, loginsPerAccountAnywhere: 4 }, still);
  for (const last of [1, 1, 2, 2]) await fail(limiter, 'a@b.test', `192.0.2.${last}`);
  t.is(await logIn(limiter, 'A@b.test', '192.0.2.3'), 'TooManyAttempts');
  t.is(await logIn(limiter, 'other@b.test', '192.0.2.3'), 'done');
});

test('all logins of an address are limited, also concurrent and successful ones', async (t) => {
  const limiter = attemptLimiter({ ...limits, allLoginsPerAddress: 5 }, still);
  const arrivals = Array.from({ length: 8 }, () => limiter.arrive(aVisitor(), null));
  t.is(arrivals.filter(E.isRight).length, 5);
  t.like(limiter.arrive(aVisitor(), null), { left: { retryAfterSeconds: 60 } });
  t.true(E.isRight(limiter.arrive(aVisitor({ address: '192.0.2.2' }), null)));
});

test('a login without a chance is refused when it arrives', async (t) => {
  const limiter = attemptLimiter(limits, still);
  for (let i = 0; i < 2; i += 1) await fail(limiter, 'a', '192.0.2.1');
  t.true(E.isLeft(limiter.arrive(aVisitor(), 'a')));
  t.true(E.isRight(limiter.arrive(aVisitor(), 'b')));
});

test('failed logins from one network address are limited for a minute, over all accounts', async (t) => {
  const limiter = attemptLimiter(limits, still);
  for (const email of ['a', 'b', 'c']) await fail(limiter, email, '192.0.2.1');
  t.is(await waitOf(limiter, 'd', '192.0.2.1'), 60);
  t.is(await logIn(limiter, 'd', '192.0.2.2'), 'done');
});

test('a login that the account limit refuses does not count for the network address', async (t) => {
  const limiter = attemptLimiter(limits, still);
  await fail(limiter, 'a', '192.0.2.1');
  await fail(limiter, 'a', '192.0.2.1');
  t.is(await logIn(limiter, 'a', '192.0.2.1'), 'TooManyAttempts');
  t.is(await logIn(limiter, 'b', '192.0.2.1'), 'done');
});

test('a login beyond those that may still fail waits until one of them ends', async (t) => {
  const limiter = attemptLimiter(limits, still);
  const endings: (() => void)[] = [];
  const slowly = () =>
    new Promise<E.Either<never, void>>((resolve) => endings.push(() => resolve(E.right(undefined))));
  for (let i = 0; i < 2; i += 1) void limiter.logIn('a', aVisitor(), slowly);
  let isThird = false;
  const third = logIn(limiter, 'a', '192.0.2.1').then((result) => {
    isThird = true;
    return result;
  });
  await new Promise((resolve) => setImmediate(resolve));
  t.is(endings.length, 2);
  t.false(isThird);
  endings.shift()?.();
  t.is(await third, 'done');
});

test('sign-ups from one network address are limited, for an hour', async (t) => {
  const limiter = attemptLimiter(limits, still);
  t.is(await outcome(limiter.signUp(aVisitor())), 'done');
  t.like(limiter.signUp(aVisitor()), { left: { retryAfterSeconds: 3600, limit: 'signUpsPerAddress' } });
  t.is(await outcome(limiter.signUp(aVisitor({ address: '192.0.2.2' }))), 'done');
});

/** A queue whose work goes on until the test ends it; `begun` has the names of what was begun, in order. */
const aQueue = (limits: Partial<HashingLimits> = {}, seed = 1) => {
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

for (const [full, limits] of [
  ['a full queue', { waiting: 5 }],
  ['a network at its limit', { waitingPerNetwork: 3 }],
] as const) {
  test(`of ${full}, one of the network with most goes by chance, and who comes from a quiet one stays`, async (t) => {
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
  hasLeft = true;
  const staying = ['c', 'd'].map((address) => come(address));
  t.deepEqual(await Promise.all(gone), ['Busy', 'Busy']);
  for (let i = 0; i < 3; i += 1) await end();
  t.deepEqual(begun, ['first', 'c', 'd']);
  t.deepEqual(await Promise.all(staying), ['done', 'done']);
});

test('work that throws ends its turn', async (t) => {
  const { come, begun, queue } = aQueue();
  const visitor = aVisitor();
  const throwing = queue.forVisitor(visitor, () => Promise.reject(new Error('out of memory')));
  await t.throwsAsync(throwing, { message: 'out of memory' });
  void come('b', 'next');
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(begun, ['next']);
});
