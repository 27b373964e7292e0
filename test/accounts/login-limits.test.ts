import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  type AttemptLimiter,
  attemptLimiter,
  type HashingLimits,
  hashingQueue,
} from '../../src/accounts/login-limits.js';
import { limitsOf } from '../_limits.js';
import { aVisitor, outcome } from './_accounts.js';

const limits = limitsOf({ loginsPerAccount: 2, loginsPerAddress: 3, signUpsPerAddress: 1 });

const still = () => 0;

/** Logs in, with a right or a wrong password; resolves to the tag of the error, or to `done`. */
const logIn = (
  limiter: AttemptLimiter,
  email: string,
  address: string,
  isRight = true,
  visitor = aVisitor({ address }),
) =>
  outcome(
    limiter.logIn(email, visitor, async () =>
      isRight ? E.right('the user') : E.left({ _tag: 'WrongCredentials' }),
    ),
  );

const fail = (limiter: AttemptLimiter, email: string, address: string, network = address) =>
  logIn(limiter, email, address, false, aVisitor({ address, network }));

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

test('all addresses of a network together have four times the limit of one', async (t) => {
  const limiter = attemptLimiter({ ...limits, allLoginsPerAddress: 2 }, still);
  const [network, elsewhere] = ['2001:db8:1::/48', '2001:db8:2::/48'];
  const addressOf = (i: number) => `2001:db8:1:${i}::/64`;
  for (let i = 0; i < 12; i += 1)
    t.is(await fail(limiter, `${i}@b.test`, addressOf(i), network), 'WrongCredentials');
  t.is(await fail(limiter, 'a@b.test', addressOf(12), network), 'TooManyAttempts');
  t.is(await fail(limiter, 'a@b.test', '2001:db8:2::/64', elsewhere), 'WrongCredentials');
  for (const [count, attempt] of [
    [8, limiter.arrive],
    [4, limiter.signUp],
  ] as const) {
    for (let i = 0; i < count; i += 1)
      t.is(await outcome(attempt(aVisitor({ address: addressOf(i), network }), null)), 'done');
    t.is(await outcome(attempt(aVisitor({ address: addressOf(12), network }), null)), 'TooManyAttempts');
    t.is(await outcome(attempt(aVisitor({ address: addressOf(13), network: elsewhere }), null)), 'done');
  }
});

/** A queue whose work goes on until the test ends it; `begun` has the names of what was begun, in order. */
const aQueue = (limits: Partial<HashingLimits> = {}) => {
  const queue = hashingQueue({ atOnce: 1, waiting: 100, ...limits });
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
    /** Comes as a visitor; resolves to what becomes of it. The address `a/1` is in the network `a`. */
    come: (address: string, name = address, hasLeft = () => false) => {
      const [network = ''] = address.split('/');
      return outcome(queue.forVisitor({ address, network, hasLeft }, () => work(name)));
    },
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

test('networks take turns, and so do the addresses in each', async (t) => {
  const { come, begun, end } = aQueue();
  for (const name of ['a/1', 'a/1', 'a/1', 'a/2', 'a/3', 'b', 'b', 'b']) void come(name);
  for (let i = 0; i < 8; i += 1) await end();
  t.deepEqual(begun, ['a/1', 'a/1', 'b', 'a/2', 'b', 'a/3', 'b', 'a/1']);
});

test('of too many visitors, the last one of the longest lane goes, and who comes from a quiet address stays', async (t) => {
  const { come, begun, end } = aQueue({ waiting: 5 });
  void come('a', 'a0');
  const flood = ['a', 'a', 'a', 'b', 'b'].map((address, i) => come(address, `${address}${i + 1}`));
  const quiet = ['c', 'd', 'e'].map((address) => come(address));
  t.deepEqual(await Promise.all([flood[2], flood[4], flood[1]]), ['Busy', 'Busy', 'Busy']);
  // All are equally quiet now.
  t.is(await come('f'), 'Busy');
  for (let i = 0; i < 6; i += 1) await end();
  t.deepEqual(begun, ['a0', 'a1', 'b4', 'c', 'd', 'e']);
  t.deepEqual(await Promise.all(quiet), ['done', 'done', 'done']);
});

test('many addresses of one network are one lane; the last one of its longest goes', async (t) => {
  const { come, begun, end } = aQueue({ waiting: 5 });
  void come('a/1', 'first');
  const flood = ['a/1', 'a/1', 'a/2', 'a/3', 'a/4'].map((address) => come(address));
  const quiet = ['b', 'c'].map((address) => come(address));
  t.deepEqual(await Promise.all([flood[1], flood[4]]), ['Busy', 'Busy']);
  for (let i = 0; i < 6; i += 1) await end();
  t.deepEqual(begun, ['first', 'a/1', 'b', 'c', 'a/2', 'a/3']);
  t.deepEqual(await Promise.all(quiet), ['done', 'done']);
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
