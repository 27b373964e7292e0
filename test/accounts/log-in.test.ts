import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { SecurityEvent } from '../../src/accounts/account-flow.js';
import type { DemoAccounts } from '../../src/accounts/demo-rows.js';
import { demoLogIn, logIn, logOut } from '../../src/accounts/log-in-and-sign-up.js';
import { hashSecret } from '../../src/api/credentials.js';
import { limiterOf } from '../_limits.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, kimSession, outcome } from './_accounts.js';

const form = { email: 'KIM@test.test', password: 'secret' };

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
    await logIn(dependencies({ isPassword }))({ ...form, email }, aVisitor());
  }
  t.deepEqual(compared, ['hash', 'decoy']);
});

const limited = () => limiterOf({ loginsPerAccount: 1 });

test('an unreachable storage and a comparison that throws do not count', async (t) => {
  const given = dependencies({ attempts: limited() });
  const unreachable = {
    ...given.storage,
    userByEmail: async () => E.left({ _tag: 'StorageUnavailable' as const, cause: 'down' }),
  };
  t.is(await outcome(logIn({ ...given, storage: unreachable })(form, aVisitor())), 'StorageUnavailable');
  const throwing = { ...given, isPassword: () => Promise.reject(new Error('out of memory')) };
  await t.throwsAsync(logIn(throwing)(form, aVisitor()), { message: 'out of memory' });
  t.is(await outcome(logIn(given)(form, aVisitor())), 'done');
});

test('a login, a failed one and one beyond the limit are reported', async (t) => {
  const given = dependencies({ attempts: limited() });
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  for (const input of [form, { ...form, password: 'x' }, form]) await logIn(given)(input, visitor);
  await logIn(dependencies())({ ...form, email: 'nobody@test.test' }, visitor);
  t.deepEqual<unknown, unknown>(events, [
    { _tag: 'LoggedIn', userId: 'kim' },
    { _tag: 'LogInFailed', userId: 'kim' },
    { _tag: 'LogInLimited' },
    { _tag: 'LogInFailed', userId: null },
  ]);
});

test('the password of a visitor who has left is not hashed, and nothing counts', async (t) => {
  const given = dependencies({ attempts: limited() });
  const isPassword = async () => {
    t.fail('a password was hashed');
    return false;
  };
  const gone = aVisitor({ hasLeft: () => true });
  t.is(await outcome(logIn({ ...given, isPassword })({ ...form, password: 'x' }, gone)), 'Busy');
  t.is(await outcome(logIn(given)(form, aVisitor())), 'done');
});

test('logins of a stranger end only the stranger’s own sessions of a shared account', async (t) => {
  const given = dependencies();
  const started = await logIn(given)(form, aVisitor());
  const mine = E.isRight(started) ? started.right.sessionValue : '';
  const isPassword = async () => true;
  const stranger = aVisitor({ address: '198.51.100.1' });
  for (let i = 0; i < 502; i += 1) await logIn({ ...given, isPassword })(form, stranger);
  t.is(await outcome(given.storage.caller(bySession(mine))), 'done');
});

const find: DemoAccounts['find'] = (account) =>
  account === 'kim' ? { id: 'kim', email: 'kim@test.test' } : null;

test('a demo login ends no published session', async (t) => {
  const given = dependencies({ isPublishedSession: (session) => session === kimSession });
  t.is(await outcome(demoLogIn(given)({ account: 'kim' }, find, aVisitor({ session: kimSession }))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('the address of a demo account that belongs to somebody else by now does not let the visitor in', async (t) => {
  const given = dependencies();
  const stale: DemoAccounts['find'] = () => ({ id: 'gone', email: 'kim@test.test' });
  t.is(await outcome(demoLogIn(given)({ account: 'gone' }, stale, aVisitor())), 'DemoAccountNotFound');
});

test('every demo login counts towards the limit of the network address', async (t) => {
  const given = dependencies({ attempts: limiterOf({ allLoginsPerAddress: 2 }) });
  t.is(await outcome(demoLogIn(given)({ account: 'kim' }, find, aVisitor())), 'done');
  t.is(await outcome(demoLogIn(given)({ account: 'nobody' }, find, aVisitor())), 'DemoAccountNotFound');
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  t.is(await outcome(demoLogIn(given)({ account: 'kim' }, find, visitor)), 'TooManyAttempts');
  t.deepEqual(events, [{ _tag: 'LogInLimited' }]);
  t.is(await outcome(demoLogIn(given)({ account: 'kim' }, find, aVisitor({ address: '192.0.2.2' }))), 'done');
});

for (const posted of [undefined, null, {}, { account: 1 }, { account: ['kim'] }, 'kim']) {
  test(`a demo login of ${JSON.stringify(posted) ?? 'nothing'} is an invalid form`, async (t) => {
    t.is(await outcome(demoLogIn(dependencies())(posted, find, aVisitor())), 'InvalidForm');
  });
}

test('logging out ends the session at once, and is reported', async (t) => {
  const given = dependencies();
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ session: kimSession, report: (event) => events.push(event) });
  t.is(await outcome(logOut(given)(visitor)), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
  t.is(await outcome(logOut(given)(visitor)), 'done');
  t.deepEqual<unknown, unknown>(events, [{ _tag: 'LoggedOut', userId: 'kim' }]);
});

for (const [title, session] of [
  ['without a session', null],
  ['with an unknown session', hashSecret('unknown')],
] as const) {
  test(`logging out ${title} changes nothing and is not reported`, async (t) => {
    const events: SecurityEvent[] = [];
    const { storage, ...given } = dependencies();
    const endSession = () => {
      t.fail('a session ends');
      return storage.endSession(kimSession);
    };
    const visitor = aVisitor({ session, report: (event) => events.push(event) });
    t.is(await outcome(logOut({ ...given, storage: { ...storage, endSession } })(visitor)), 'done');
    t.deepEqual(events, []);
  });
}
