import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { attemptLimiter } from '../../src/accounts/attempt-limiter.js';
import { logIn } from '../../src/accounts/log-in.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, kimSession, outcome } from './_accounts.js';

const form = { email: 'KIM@test.test', password: 'secret' };

test('the right password starts a session for the user and ends the one before', async (t) => {
  const given = dependencies();
  const started = await logIn(given)(form, aVisitor({ session: kimSession }))();
  t.is(E.isRight(started) && started.right.user.id, 'kim');
  const value = E.isRight(started) ? started.right.sessionValue : '';
  t.is(await outcome(given.storage.caller(bySession(value))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
});

test('without a session before, other sessions of the user continue', async (t) => {
  const given = dependencies();
  t.is(await outcome(logIn(given)(form, aVisitor())), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

for (const [title, input, expected] of [
  ['a wrong password', { ...form, password: 'Secret' }, 'WrongCredentials'],
  ['an unknown address', { ...form, email: 'nobody@test.test' }, 'WrongCredentials'],
  ['a form without a password', { email: form.email }, 'InvalidForm'],
] as const) {
  test(`${title} gives ${expected} and ends no session`, async (t) => {
    const given = dependencies();
    t.is(await outcome(logIn(given)(input, aVisitor({ session: kimSession }))), expected);
    t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
  });
}

test('an unknown address costs the same hash comparison as a wrong password', async (t) => {
  const compared: unknown[] = [];
  const isPassword = async (_: string, hash: unknown) => {
    compared.push(hash === null ? 'decoy' : 'hash');
    return false;
  };
  for (const email of ['kim@test.test', 'nobody@test.test']) {
    await logIn(dependencies({ isPassword }))({ ...form, email }, aVisitor())();
  }
  t.deepEqual(compared, ['hash', 'decoy']);
});

const limited = () => attemptLimiter({ loginsPerAccount: 1, loginsPerAddress: 1, signUpsPerAddress: 1 });

test('a wrong password counts; then the right one gets TooManyAttempts', async (t) => {
  const given = dependencies({ attempts: limited() });
  t.is(await outcome(logIn(given)({ ...form, password: 'x' }, aVisitor())), 'WrongCredentials');
  t.is(await outcome(logIn(given)(form, aVisitor())), 'TooManyAttempts');
});

test('an unreachable storage and a comparison that throws do not count', async (t) => {
  const given = dependencies({ attempts: limited() });
  const unreachable = {
    ...given.storage,
    userByEmail: () => TE.left({ _tag: 'StorageUnavailable' as const, cause: 'down' }),
  };
  t.is(await outcome(logIn({ ...given, storage: unreachable })(form, aVisitor())), 'StorageUnavailable');
  const throwing = { ...given, isPassword: () => Promise.reject(new Error('out of memory')) };
  await t.throwsAsync(logIn(throwing)(form, aVisitor())(), { message: 'out of memory' });
  t.is(await outcome(logIn(given)(form, aVisitor())), 'done');
});

test('a login, a failed one and one beyond the limit are reported', async (t) => {
  const given = dependencies({ attempts: limited() });
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  for (const input of [form, { ...form, password: 'x' }, form]) await logIn(given)(input, visitor)();
  await logIn(dependencies())({ ...form, email: 'nobody@test.test' }, visitor)();
  t.deepEqual<unknown, unknown>(events, [
    { _tag: 'LoggedIn', userId: 'kim' },
    { _tag: 'LogInFailed', userId: 'kim' },
    { _tag: 'LogInLimited' },
    { _tag: 'LogInFailed', userId: null },
  ]);
});
