import test from 'ava';
import { deleteAccount } from '../../src/accounts/delete-account.js';
import { logIn } from '../../src/accounts/log-in.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const form = { password: 'correct horse' };

test('a deleted account cannot log in, its session is over, and its address is free', async (t) => {
  const given = dependencies();
  const { user, sessionValue } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  t.is(await outcome(deleteAccount(given)(user, form, visitor)), 'done');
  t.is(await outcome(given.storage.caller(bySession(sessionValue))), 'Unauthorized');
  t.is(await outcome(logIn(given)({ email: user.email, ...form }, aVisitor())), 'WrongCredentials');
  t.deepEqual(events, [{ _tag: 'AccountDeleted', userId: user.id }]);
  const again = await newcomer(given);
  t.not(again.user.id, user.id);
});

test('a wrong password deletes nothing and is reported', async (t) => {
  const given = dependencies();
  const { user, sessionValue } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  t.is(await outcome(deleteAccount(given)(user, { password: 'x' }, visitor)), 'WrongPassword');
  t.is(await outcome(deleteAccount(given)(user, {}, visitor)), 'InvalidForm');
  t.is(await outcome(given.storage.caller(bySession(sessionValue))), 'done');
  t.deepEqual(events, [{ _tag: 'PasswordCheckFailed', userId: user.id }]);
});

test('a login while its account is deleted gets no session', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const storage = {
    ...given.storage,
    startSession:
      (...args: Parameters<typeof given.storage.startSession>) =>
      async () => {
        await given.storage.deleteAccount({ userId: user.id })();
        return given.storage.startSession(...args)();
      },
  };
  const login = logIn({ ...given, storage })({ email: user.email, ...form }, aVisitor());
  t.is(await outcome(login), 'WrongCredentials');
});

test('an account of the fixtures is read-only', async (t) => {
  const given = dependencies();
  const kim = { id: 'kim', email: 'kim@test.test', name: 'Kim' };
  t.is(await outcome(deleteAccount(given)(kim, { password: 'secret' }, aVisitor())), 'AccountReadOnly');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});
