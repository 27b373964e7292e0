import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { attemptLimiter } from '../../src/accounts/attempt-limiter.js';
import { changePassword } from '../../src/accounts/change-password.js';
import type { AccountDependencies } from '../../src/accounts/dependencies.js';
import { logIn } from '../../src/accounts/log-in.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import { verifyOwnPassword } from '../../src/accounts/verify-own-password.js';
import type { PresentedCredentials } from '../../src/storage/port.js';
import { hashingAtOnce } from '../_limits.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const form = { currentPassword: 'correct horse', newPassword: 'another battery' };
const limited = () =>
  attemptLimiter({
    loginsPerAccount: 1,
    loginsPerAccountAnywhere: 9,
    loginsPerAddress: 1,
    allLoginsPerAddress: 99,
    signUpsPerAddress: 9,
  });

test('after a change the new password works, the old one does not, and only the new session is valid', async (t) => {
  const given = dependencies();
  const { user, sessionValue: before } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const changed = await changePassword(given)(
    user,
    form,
    aVisitor({ report: (event) => events.push(event) }),
  )();
  if (E.isLeft(changed)) return t.fail(changed.left._tag);
  t.is(await outcome(given.storage.caller(bySession(before))), 'Unauthorized');
  t.is(await outcome(given.storage.caller(bySession(changed.right.sessionValue))), 'done');
  const logInWith = (password: string) => outcome(logIn(given)({ email: user.email, password }, aVisitor()));
  t.is(await logInWith(form.currentPassword), 'WrongCredentials');
  t.is(await logInWith(form.newPassword), 'done');
  t.deepEqual(events, [{ _tag: 'PasswordChanged', userId: user.id }]);
});

test('a wrong current password changes nothing, is reported, and counts like a failed login', async (t) => {
  const given = dependencies({ attempts: limited() });
  const { user, sessionValue } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  const wrong = { ...form, currentPassword: 'x' };
  t.is(await outcome(changePassword(given)(user, wrong, visitor)), 'WrongPassword');
  t.is(await outcome(changePassword(given)(user, form, visitor)), 'TooManyAttempts');
  t.is(
    await outcome(logIn(given)({ email: user.email, password: 'correct horse' }, visitor)),
    'TooManyAttempts',
  );
  t.is(await outcome(given.storage.caller(bySession(sessionValue))), 'done');
  t.deepEqual<unknown, unknown>(events, [
    { _tag: 'PasswordCheckFailed', userId: user.id },
    { _tag: 'LogInLimited' },
    { _tag: 'LogInLimited' },
  ]);
});

test('failed logins use up the attempts for a change', async (t) => {
  const given = dependencies({ attempts: limited() });
  const { user } = await newcomer(given);
  await logIn(given)({ email: user.email, password: 'x' }, aVisitor())();
  t.is(await outcome(changePassword(given)(user, form, aVisitor())), 'TooManyAttempts');
});

test('a new password made of the name is refused before anything counts', async (t) => {
  const given = dependencies({ attempts: limited() });
  const { user } = await newcomer(given);
  for (const newPassword of ['ann@new.test', 'password123', 'short'])
    t.is(await outcome(changePassword(given)(user, { ...form, newPassword }, aVisitor())), 'InvalidForm');
  t.is(await outcome(changePassword(given)(user, form, aVisitor())), 'done');
});

test('of two changes at the same time one succeeds', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const outcomes = await Promise.all(
    ['another battery', 'yet another one'].map((newPassword) =>
      outcome(changePassword(given)(user, { ...form, newPassword }, aVisitor())),
    ),
  );
  t.deepEqual(outcomes.sort(), ['WrongPassword', 'done']);
});

/** A login during which the password is changed, and the sessions that it has started. */
const logInDuringChange = async (over: Partial<AccountDependencies> = {}) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const started: PresentedCredentials[] = [];
  const storage = {
    ...given.storage,
    startSession:
      (...args: Parameters<typeof given.storage.startSession>) =>
      async () => {
        await changePassword(given)(user, form, aVisitor())();
        started.push({ ...bySession(''), session: args[0].hash });
        return given.storage.startSession(...args)();
      },
  };
  const login = logIn({ ...given, ...over, storage })(
    { email: user.email, password: 'correct horse' },
    aVisitor(),
  );
  const answer = await outcome(login);
  const standings = await Promise.all(started.map((each) => outcome(given.storage.caller(each))));
  return { answer, standings };
};

test('a login whose password is changed while it is verified gets no session', async (t) => {
  t.deepEqual(await logInDuringChange(), { answer: 'WrongCredentials', standings: ['Unauthorized'] });
});

test('neither does one that cannot be verified again', async (t) => {
  let count = 0;
  const hashing: AccountDependencies['hashing'] = {
    ...hashingAtOnce,
    forVisitor: (visitor, work) => {
      count += 1;
      return count === 1 ? hashingAtOnce.forVisitor(visitor, work) : TE.left({ _tag: 'Busy' });
    },
  };
  t.deepEqual(await logInDuringChange({ hashing }), { answer: 'Busy', standings: ['Unauthorized'] });
});

test('the password of an account that took over the address is not the own one', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const old = { ...user, id: 'usr_before' };
  t.is(await outcome(verifyOwnPassword(given)(old, 'correct horse', aVisitor())), 'WrongPassword');
});

test('an account of the fixtures is read-only, which only a right password is told', async (t) => {
  const given = dependencies();
  const kim = { id: 'kim', email: 'kim@test.test', name: 'Kim' };
  t.is(await outcome(changePassword(given)(kim, form, aVisitor())), 'WrongPassword');
  const right = { ...form, currentPassword: 'secret' };
  t.is(await outcome(changePassword(given)(kim, right, aVisitor())), 'AccountReadOnly');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});
