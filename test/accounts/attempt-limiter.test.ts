import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type Attempt, attemptLimiter, type TooManyAttempts } from '../../src/accounts/attempt-limiter.js';
import { limitsOf } from '../_limits.js';

const limits = limitsOf({ loginsPerAccount: 2, loginsPerAddress: 3, signUpsPerAddress: 1 });

const allowed = (result: E.Either<TooManyAttempts, Attempt>): Attempt => {
  if (E.isLeft(result)) throw new Error('too many attempts');
  return result.right;
};

/** A failed attempt has ended only a moment after `failed` returns; the next one waits for it. */
const fail = async (limiter: ReturnType<typeof attemptLimiter>, email: string, address: string) =>
  allowed(await limiter.logIn(email, address)()).failed();

test('failed logins to one account are limited for a minute, in any letter case of its address', async (t) => {
  const limiter = attemptLimiter(limits);
  await fail(limiter, 'a@b.test', '192.0.2.1');
  await fail(limiter, 'A@B.test', '192.0.2.1');
  const refused = await limiter.logIn('a@b.test', '192.0.2.1')();
  t.true(E.isLeft(refused) && refused.left.retryAfterSeconds > 30 && refused.left.retryAfterSeconds <= 60);
  t.true(E.isRight(await limiter.logIn('other@b.test', '192.0.2.1')()));
});

test('a stranger locks nobody out of an account but whoever shares the network address', async (t) => {
  const limiter = attemptLimiter(limits);
  for (let i = 0; i < 2; i += 1) await fail(limiter, 'a@b.test', '192.0.2.1');
  t.true(E.isLeft(await limiter.logIn('a@b.test', '192.0.2.1')()));
  t.true(E.isRight(await limiter.logIn('a@b.test', '192.0.2.2')()));
});

test('failed logins to one account from everywhere have a limit of their own', async (t) => {
  const limiter = attemptLimiter({ ...limits, loginsPerAccountAnywhere: 4 });
  for (const last of [1, 1, 2, 2]) await fail(limiter, 'a@b.test', `192.0.2.${last}`);
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
  for (let i = 0; i < 2; i += 1) await fail(limiter, 'a', '192.0.2.1');
  t.true(E.isLeft(await limiter.arrive('a', '192.0.2.1')()));
  t.true(E.isRight(await limiter.arrive('b', '192.0.2.1')()));
});

test('failed logins from one network address are limited for a minute, over all accounts', async (t) => {
  const limiter = attemptLimiter(limits);
  for (const email of ['a', 'b', 'c']) await fail(limiter, email, '192.0.2.1');
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
  await fail(limiter, 'a', '192.0.2.1');
  await fail(limiter, 'a', '192.0.2.1');
  t.true(E.isLeft(await limiter.logIn('a', '192.0.2.1')()));
  t.true(E.isRight(await limiter.logIn('b', '192.0.2.1')()));
});

test('a login beyond those that may still fail waits until one of them ends', async (t) => {
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
