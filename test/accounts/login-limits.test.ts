import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import {
  type Attempt,
  attemptLimiter,
  type HashingLimits,
  hashingQueue,
  type TooManyAttempts,
} from '../../src/accounts/login-limits.js';
import { limitsOf } from '../_limits.js';
import { outcome } from './_accounts.js';

const limits = limitsOf({ loginsPerAccount: 2, loginsPerAddress: 3, signUpsPerAddress: 1 });

const allowed = (result: E.Either<TooManyAttempts, Attempt>): Attempt => {
  if (E.isLeft(result)) throw new Error('too many attempts');
  return result.right;
};

/** A failed attempt has ended only a moment after `failed` returns; the next one waits for it. */
const failOnce = async (limiter: ReturnType<typeof attemptLimiter>, email: string, address: string) =>
  allowed(await limiter.logIn(email, address)()).failed();

test('failed logins to one account are limited for a minute, in any letter case of its address', async (t) => {
  const limiter = attemptLimiter(limits);
  await failOnce(limiter, 'a@b.test', '192.0.2.1');
  await failOnce(limiter, 'A@B.test', '192.0.2.1');
  const refused = await limiter.logIn('a@b.test', '192.0.2.1')();
  t.true(E.isLeft(refused) && refused.left.retryAfterSeconds > 30 && refused.left.retryAfterSeconds <= 60);
  t.true(E.isRight(await limiter.logIn('other@b.test', '192.0.2.1')()));
});

test('a stranger locks nobody out of an account but whoever shares the network address', async (t) => {
  const limiter = attemptLimiter(limits);
  for (let i = 0; i < 2; i += 1) await failOnce(limiter, 'a@b.test', '192.0.2.1');
  t.true(E.isLeft(await limiter.logIn('a@b.test', '192.0.2.1')()));
  t.true(E.isRight(await limiter.logIn('a@b.test', '192.0.2.2')()));
});

test('failed logins to one account from everywhere have a limit of their own', async (t) => {
  const limiter = attemptLimiter({ ...limits, loginsPerAccountAnywhere: 4 });
  for (const last of [1, 1, 2, 2]) await failOnce(limiter, 'a@b.test', `192.0.2.${last}`);
  t.true(E.isLeft(await limiter.logIn('A@b.test', '192.0.2.3')()));
  t.true(E.isRight(await limiter.logIn('other@b.test', '192.0.2.3')()));
});

test('all logins of an address are limited, also concurrent and successful ones', async (t) => {
  const limiter = attemptLimiter({ ...limits, allLoginsPerAddress: 5 });
  const arrivals = await Promise.all(
    Array.from({ length: 8 }, (_, i) => limiter.arrive(`u${i}`, '192.0.2.1')()),
  );
  t.is(arrivals.filter(E.isRight).length, 5);
  const refused = await limiter.arrive('a', '192.0.2.1')();
  t.true(E.isLeft(refused) && refused.left.retryAfterSeconds > 30 && refused.left.retryAfterSeconds <= 60);
  t.true(E.isRight(await limiter.arrive('a', '192.0.2.2')()));
});

test('a login without a chance is refused when it arrives', async (t) => {
  const limiter = attemptLimiter(limits);
  for (let i = 0; i < 2; i += 1) await failOnce(limiter, 'a', '192.0.2.1');
  t.true(E.isLeft(await limiter.arrive('a', '192.0.2.1')()));
  t.true(E.isRight(await limiter.arrive('b', '192.0.2.1')()));
});

test('failed logins from one network address are limited for a minute, over all accounts', async (t) => {
  const limiter = attemptLimiter(limits);
  for (const email of ['a', 'b', 'c']) await failOnce(limiter, email, '192.0.2.1');
  const refused = await limiter.logIn('d', '192.0.2.1')();
  t.true(E.isLeft(refused) && refused.left.retryAfterSeconds > 30 && refused.left.retryAfterSeconds <= 60);
  t.true(E.isRight(await limiter.logIn('d', '192.0.2.2')()));
});

test('forgiven logins do not count', async (t) => {
  const limiter = attemptLimiter(limits);
  for (let i = 0; i < 10; i += 1) allowed(await limiter.logIn('a', '192.0.2.1')()).forgiven();
  t.true(E.isRight(await limiter.logIn('a', '192.0.2.1')()));
});

test('a login that the account limit refuses does not count for the network address', async (t) => {
  const limiter = attemptLimiter(limits);
  await failOnce(limiter, 'a', '192.0.2.1');
  await failOnce(limiter, 'a', '192.0.2.1');
  t.true(E.isLeft(await limiter.logIn('a', '192.0.2.1')()));
  t.true(E.isRight(await limiter.logIn('b', '192.0.2.1')()));
});

test('a login beyond those that may still failOnce waits until one of them ends', async (t) => {
  const limiter = attemptLimiter(limits);
  const first = allowed(await limiter.logIn('a', '192.0.2.1')());
  allowed(await limiter.logIn('a', '192.0.2.1')());
  let isThird = false;
  const third = limiter
    .logIn('a', '192.0.2.1')()
    .then((result) => {
      isThird = true;
      return result;
    });
  await new Promise((resolve) => setImmediate(resolve));
  t.false(isThird);
  first.forgiven();
  t.true(E.isRight(await third));
});

test('sign-ups from one network address are limited, for an hour', async (t) => {
  const limiter = attemptLimiter(limits);
  allowed(await limiter.signUp('192.0.2.1')()).failed();
  const refused = await limiter.signUp('192.0.2.1')();
  t.true(
    E.isLeft(refused) && refused.left.retryAfterSeconds > 3000 && refused.left.retryAfterSeconds <= 3600,
  );
  t.true(E.isRight(await limiter.signUp('192.0.2.2')()));
});

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
