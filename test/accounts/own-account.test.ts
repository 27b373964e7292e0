import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { AccountDependencies, SecurityEvent } from '../../src/accounts/account-flow.js';
import type { ApiTokenRecord } from '../../src/accounts/account-records.js';
import { logIn } from '../../src/accounts/log-in-and-sign-up.js';
import { attemptLimiter } from '../../src/accounts/login-limits.js';
import {
  changePassword,
  mintApiToken,
  revokeApiToken,
  verifyOwnPassword,
} from '../../src/accounts/own-account.js';
import { hashSecret } from '../../src/api/credentials.js';
import type { PresentedCredentials } from '../../src/api/storage-port.js';
import { now } from '../_data.js';
import { limitsOf } from '../_limits.js';
import { bySession, byToken } from '../_storage.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const form = { currentPassword: 'correct horse', newPassword: 'another battery' };
const limited = () =>
  attemptLimiter(
    limitsOf({ loginsPerAccount: 1, loginsPerAccountAnywhere: 9, loginsPerAddress: 1 }),
    () => 0,
  );

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

/** A login during which the password is changed, and the sessions that it has started. */
const logInDuringChange = async () => {
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
  const login = logIn({ ...given, storage })({ email: user.email, password: 'correct horse' }, aVisitor());
  const answer = await outcome(login);
  const standings = await Promise.all(started.map((each) => outcome(given.storage.caller(each))));
  return { answer, standings };
};

test('a login whose password is changed while it is verified gets no session', async (t) => {
  t.deepEqual(await logInDuringChange(), { answer: 'WrongCredentials', standings: ['Unauthorized'] });
});

test('the password of an account that took over the address is not the own one', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const old = { ...user, id: 'usr_before' };
  t.is(await outcome(verifyOwnPassword(given)(old, 'correct horse', aVisitor())), 'WrongPassword');
});

const right = { password: 'correct horse' };

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
    t.deepEqual(await given.storage.caller(byToken(token)), E.right({ ...caller, sessionExpiresAt: null }));
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
