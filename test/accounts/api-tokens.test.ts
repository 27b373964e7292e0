import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { listApiTokens, mintApiToken, revokeApiToken } from '../../src/accounts/api-tokens.js';
import type { AccountDependencies } from '../../src/accounts/dependencies.js';
import { hashSecret } from '../../src/accounts/secrets.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import type { ApiTokenRecord } from '../../src/records/api-token.js';
import { now } from '../_data.js';
import { byToken } from '../_storage.js';
import { aVisitor, dependencies, outcome } from './_accounts.js';

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
    const minted = await mintApiToken(given)(caller, form, aVisitor())();
    if (E.isLeft(minted)) return t.fail(minted.left._tag);
    const { id, token } = minted.right;
    t.deepEqual<unknown, unknown>(minted.right, { id, name: 'ci', token, expiresAt });
    t.regex(token, /^triage_[\w-]{43}$/);
    t.deepEqual(await given.storage.caller(byToken(token))(), E.right(caller));
    const listed = await listApiTokens(given)(caller)();
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
  const minted = await mintApiToken({ ...given, storage })(caller, { name: 'ci' }, aVisitor())();
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
  const result = await mintApiToken(dependencies())(caller, { name: 'ci', expiresAt: now }, aVisitor())();
  t.true(E.isLeft(result) && result.left._tag === 'InvalidForm');
});

test('the list has the newest token first, with a prefix in place of the token and no hash', async (t) => {
  const given = dependencies();
  const minted = await mintApiToken(given)(caller, { name: 'new' }, aVisitor())();
  const listed = await listApiTokens(given)(caller)();
  t.deepEqual<unknown, unknown>(
    listed,
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
  const minted = await mintApiToken(given)(caller, { name: 'ci' }, visitor)();
  if (E.isLeft(minted)) return t.fail(minted.left._tag);
  const { id } = minted.right;
  await revokeApiToken(given)(caller, id, visitor)();
  await revokeApiToken(given)(caller, 'no-such-token', visitor)();
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
  const listed = await listApiTokens(given)(caller)();
  t.deepEqual(E.isRight(listed) && listed.right.map(({ id, revokedAt }) => [id, revokedAt]), [
    ['tok-kim-token', null],
  ]);
  t.deepEqual(events, []);
});
