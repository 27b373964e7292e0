import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { DemoAccounts } from '../../src/accounts/demo-accounts.js';
import { demoLogIn } from '../../src/accounts/demo-log-in.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import { limiterOf } from '../_limits.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, kimSession, newcomer, outcome } from './_accounts.js';

const find: DemoAccounts['find'] = (account) =>
  account === 'kim' ? { id: 'kim', email: 'kim@test.test' } : null;

test('a session starts without a password, and the one before ends', async (t) => {
  const given = dependencies();
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ session: kimSession, report: (event) => events.push(event) });
  const started = await demoLogIn(given)({ account: 'kim' }, find, visitor)();
  t.is(E.isRight(started) && started.right.user.id, 'kim');
  const value = E.isRight(started) ? started.right.sessionValue : '';
  t.is(await outcome(given.storage.caller(bySession(value))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
  t.deepEqual(events, [{ _tag: 'LoggedIn', userId: 'kim' }]);
});

test('a published session goes on', async (t) => {
  const given = dependencies({ isPublishedSession: (session) => session === kimSession });
  t.is(await outcome(demoLogIn(given)({ account: 'kim' }, find, aVisitor({ session: kimSession }))), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('an account that is not open to the visitor is not found, whether it exists or not', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  for (const account of [user.id, user.email, 'kim@test.test', '', 'nobody']) {
    const visitor = aVisitor({ session: kimSession });
    t.is(await outcome(demoLogIn(given)({ account }, find, visitor)), 'DemoAccountNotFound', account);
  }
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

test('an address that belongs to somebody else by now does not let the visitor in', async (t) => {
  const given = dependencies();
  const stale: DemoAccounts['find'] = () => ({ id: 'gone', email: 'kim@test.test' });
  t.is(await outcome(demoLogIn(given)({ account: 'gone' }, stale, aVisitor())), 'DemoAccountNotFound');
});

test('every attempt counts towards the limit of the network address', async (t) => {
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
  test(`posting ${JSON.stringify(posted) ?? 'nothing'} is an invalid form`, async (t) => {
    t.is(await outcome(demoLogIn(dependencies())(posted, find, aVisitor())), 'InvalidForm');
  });
}
