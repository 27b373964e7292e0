import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { AccountDependencies, SecurityEvent } from '../../src/accounts/account-flow.js';
import { logIn } from '../../src/accounts/log-in-and-sign-up.js';
import { attemptLimiter } from '../../src/accounts/login-limits.js';
import {
  changePassword,
  deleteAccount,
  ListedTokens,
  mintApiToken,
  revokeApiToken,
  verifyOwnPassword,
} from '../../src/accounts/own-account.js';
import { hashSecret } from '../../src/accounts/sessions-and-tokens.js';
import type { ApiTokenRecord } from '../../src/records/account-records.js';
import type { PresentedCredentials } from '../../src/storage/port.js';
import { now } from '../_data.js';
import { hashingAtOnce, limitsOf } from '../_limits.js';
import { bySession, byToken } from '../_storage.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const form = { currentPassword: 'correct horse', newPassword: 'another battery' };
const limited = () =>
  attemptLimiter(
    limitsOf({ loginsPerAccount: 1, loginsPerAccountAnywhere: 9, loginsPerAddress: 1 }),
    () => 0,
  );

test('after a change the new password works, the old one does not, and only the new session is valid', async (t) => {
  const given = dependencies();
  const { user, sessionValue: before } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const changed = await changePassword(given)(
    user,
    form,
    aVisitor({ report: (event) => events.push(event) }),
  );
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
  await logIn(given)({ email: user.email, password: 'x' }, aVisitor());
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
    startSession: async (...args: Parameters<typeof given.storage.startSession>) => {
      await changePassword(given)(user, form, aVisitor());
      started.push({ ...bySession(''), session: args[0].hash });
      return given.storage.startSession(...args);
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

test('neither does one whose password cannot be verified again', async (t) => {
  let count = 0;
  const hashing: AccountDependencies['hashing'] = {
    ...hashingAtOnce,
    forVisitor: async (visitor, work) => {
      count += 1;
      return count === 1 ? hashingAtOnce.forVisitor(visitor, work) : E.left({ _tag: 'Busy' });
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

const right = { password: 'correct horse' };

test('a deleted account cannot log in, its session is over, and its address is free', async (t) => {
  const given = dependencies();
  const { user, sessionValue } = await newcomer(given);
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  t.is(await outcome(deleteAccount(given)(user, right, visitor)), 'done');
  t.is(await outcome(given.storage.caller(bySession(sessionValue))), 'Unauthorized');
  t.is(await outcome(logIn(given)({ email: user.email, ...right }, aVisitor())), 'WrongCredentials');
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
    startSession: async (...args: Parameters<typeof given.storage.startSession>) => {
      await given.storage.deleteAccount({ userId: user.id });
      return given.storage.startSession(...args);
    },
  };
  const login = logIn({ ...given, storage })({ email: user.email, ...right }, aVisitor());
  t.is(await outcome(login), 'WrongCredentials');
});

test('an account of the fixtures is not deleted: it is read-only', async (t) => {
  const given = dependencies();
  const kim = { id: 'kim', email: 'kim@test.test', name: 'Kim' };
  t.is(await outcome(deleteAccount(given)(kim, { password: 'secret' }, aVisitor())), 'AccountReadOnly');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
});

const caller = { userId: 'kim' };

for (const [title, form, expiresAt] of [
  ['no expiry', { name: ' ci ' }, null],
  ['an expiry in days', { name: 'ci', expiresInDays: 7 }, '2026-11-27T12:00:00.000Z'],
  ['a moment of expiry', { name: 'ci', expiresAt: '2026-11-20T12:00:00.001Z' }, '2026-11-20T12:00:00.001Z'],
  [
    'a moment and a number of days, of which the moment counts',
    { name: 'ci', expiresAt: '2026-12-01T00:00:00.000Z', expiresInDays: 7 },
    '2026-12-01T00:00:00.000Z',
  ],
] as const) {
  test(`minting with ${title} returns a valid token once`, async (t) => {
    const given = dependencies();
    const minted = await mintApiToken(given)(caller, form, aVisitor());
    if (E.isLeft(minted)) return t.fail(minted.left._tag);
    const { id, token } = minted.right;
    t.deepEqual<unknown, unknown>(minted.right, { id, name: 'ci', token, expiresAt });
    t.regex(token, /^triage_[\w-]{43}$/);
    t.deepEqual(await given.storage.caller(byToken(token)), E.right(caller));
    const listed = await given.storage.apiTokens(caller);
    t.false(JSON.stringify(listed).includes(token));
  });
}

test('minting stores a complete record of the token, with its hash', async (t) => {
  const given = dependencies();
  const added: ApiTokenRecord[] = [];
  const storage: AccountDependencies['storage'] = {
    ...given.storage,
    addApiToken: (record) => {
      added.push(record);
      return given.storage.addApiToken(record);
    },
  };
  const minted = await mintApiToken({ ...given, storage })(caller, { name: 'ci' }, aVisitor());
  if (E.isLeft(minted)) return t.fail(minted.left._tag);
  const { id, token } = minted.right;
  t.deepEqual<unknown, unknown>(added, [
    {
      id,
      userId: 'kim',
      name: 'ci',
      prefix: token.slice(0, 11),
      hash: hashSecret(token),
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
  ]);
});

test('an expiry that is not in the future is refused', async (t) => {
  const result = await mintApiToken(dependencies())(caller, { name: 'ci', expiresAt: now }, aVisitor());
  t.true(E.isLeft(result) && result.left._tag === 'InvalidForm');
});

test('the list has the newest token first, with a prefix in place of the token and no hash', async (t) => {
  const given = dependencies();
  const minted = await mintApiToken(given)(caller, { name: 'new' }, aVisitor());
  const listed = await given.storage.apiTokens(caller);
  t.deepEqual<unknown, unknown>(
    E.flatMap(ListedTokens.decode)(listed),
    E.right([
      {
        id: E.isRight(minted) ? minted.right.id : '',
        name: 'new',
        prefix: E.isRight(minted) ? minted.right.token.slice(0, 11) : '',
        createdAt: now,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
      },
      {
        id: 'tok-kim-token',
        name: 'ci',
        prefix: 'kim-',
        createdAt: '2026-11-19T12:00:00.000Z',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
      },
    ]),
  );
});

test('a revoked token is refused at once; revoking it again succeeds', async (t) => {
  const given = dependencies();
  for (let i = 0; i < 2; i += 1) {
    t.is(await outcome(revokeApiToken(given)(caller, 'tok-kim-token', aVisitor())), 'done');
    t.is(await outcome(given.storage.caller(byToken('kim-token'))), 'Unauthorized');
  }
});

test('the token of another user gives ApiTokenNotFound and stays valid', async (t) => {
  const given = dependencies();
  const revoke = revokeApiToken(given)({ userId: 'other' }, 'tok-kim-token', aVisitor());
  t.is(await outcome(revoke), 'ApiTokenNotFound');
  t.is(await outcome(given.storage.caller(byToken('kim-token'))), 'done');
});

test('a minted token and a revoked one are reported without the token', async (t) => {
  const given = dependencies();
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  const minted = await mintApiToken(given)(caller, { name: 'ci' }, visitor);
  if (E.isLeft(minted)) return t.fail(minted.left._tag);
  const { id } = minted.right;
  await revokeApiToken(given)(caller, id, visitor);
  await revokeApiToken(given)(caller, 'no-such-token', visitor);
  t.deepEqual<unknown, unknown>(events, [
    { _tag: 'ApiTokenMinted', userId: 'kim', tokenId: id },
    { _tag: 'ApiTokenRevoked', userId: 'kim', tokenId: id },
  ]);
});

test('a published account gets no new API token, and none of its own is revoked', async (t) => {
  const given = dependencies({ isPublished: (userId) => userId === 'kim' });
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ report: (event) => events.push(event) });
  t.is(await outcome(mintApiToken(given)(caller, { name: 'ci' }, visitor)), 'AccountPublished');
  t.is(await outcome(revokeApiToken(given)(caller, 'tok-kim-token', visitor)), 'AccountPublished');
  t.is(await outcome(given.storage.caller(byToken('kim-token'))), 'done');
  const listed = await given.storage.apiTokens(caller);
  t.deepEqual(E.isRight(listed) && listed.right.map(({ id, revokedAt }) => [id, revokedAt]), [
    ['tok-kim-token', null],
  ]);
  t.deepEqual(events, []);
});
