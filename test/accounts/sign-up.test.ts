import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { signUp } from '../../src/accounts/sign-up.js';
import { limiterOf } from '../_limits.js';
import { bySession, hashCheaply } from '../_storage.js';
import { aVisitor, dependencies, kimSession, outcome } from './_accounts.js';

const form = { email: 'ann@new.test', name: ' Ann ', password: 'correct horse' };

test('signing up creates the user with a trimmed name and a session, and ends the session before', async (t) => {
  const given = dependencies();
  const started = await signUp(given)(form, aVisitor({ session: kimSession }))();
  if (E.isLeft(started)) return t.fail(started.left._tag);
  const { user, sessionValue } = started.right;
  t.regex(user.id, /^usr_/);
  t.deepEqual([user.email, user.name], ['ann@new.test', 'Ann']);
  t.deepEqual(await given.storage.caller(bySession(sessionValue))(), E.right({ userId: user.id }));
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
});

test('signing up stores the hash of the password', async (t) => {
  const given = dependencies();
  await signUp(given)(form, aVisitor())();
  const user = await given.storage.userByEmail('ann@new.test')();
  t.true(E.isRight(user) && user.right !== null && /^scrypt\$/.test(user.right.passwordHash));
});

test('a taken address gives EmailTaken and ends no session', async (t) => {
  const given = dependencies();
  t.is(
    await outcome(signUp(given)({ ...form, email: 'KIM@test.test' }, aVisitor({ session: kimSession }))),
    'EmailTaken',
  );
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('sign-ups are limited, also successful ones; an invalid form does not count', async (t) => {
  const attempts = limiterOf({ signUpsPerAddress: 1 });
  const given = dependencies({ attempts });
  t.is(await outcome(signUp(given)({ ...form, password: 'short' }, aVisitor())), 'InvalidForm');
  t.is(await outcome(signUp(given)(form, aVisitor())), 'done');
  t.is(await outcome(signUp(given)({ ...form, email: 'b@new.test' }, aVisitor())), 'TooManyAttempts');
});

test('a sign-up does not end a published session that the request came with', async (t) => {
  const given = dependencies({ isPublishedSession: (session) => session === kimSession });
  t.is(await outcome(signUp(given)(form, aVisitor({ session: kimSession }))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('the password of a visitor who has left is not hashed', async (t) => {
  const hashPassword = async () => {
    t.fail('a password was hashed');
    return hashCheaply('x');
  };
  const gone = aVisitor({ hasLeft: () => true });
  t.is(await outcome(signUp(dependencies({ hashPassword }))(form, gone)), 'Busy');
});
