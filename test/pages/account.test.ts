import test, { type ExecutionContext } from 'ava';
import { hashSecret } from '../../src/api/credentials.js';
import { bearer, cookie, testAccounts } from '../_server.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const newPassword = 'another battery';
const change = { currentPassword: ann.password, newPassword };

/** The status of the API for a session. */
const statusFor = async (ask: Awaited<ReturnType<typeof serveWeb>>['ask'], session: string) =>
  (await ask('/api/v1/repos', cookie(session))).status;

test('changing the password by JSON gives 204 and a new session; all others end; API tokens stay valid', async (t) => {
  const { ask, logged } = await serveWeb(t);
  const first = sessionOf(await ask('/signup', json(ann)));
  const second = sessionOf(await ask('/login', json(ann)));
  const mine = { Cookie: `session=${first}` };
  const { token } = Object((await ask('/settings/api-tokens', json({ name: 'ci' }, mine))).body);
  const changed = await ask('/settings/account/password', json(change, mine));
  t.deepEqual([changed.status, changed.text], [204, '']);
  const fresh = sessionOf(changed);
  t.false([first, second, ''].includes(fresh));
  t.deepEqual(await Promise.all([first, second, fresh].map((each) => statusFor(ask, each))), [401, 401, 200]);
  t.is((await ask('/api/v1/prs', bearer(token))).status, 200);
  t.is((await ask('/login', json(ann))).status, 401);
  t.is((await ask('/login', json({ ...ann, password: newPassword }))).status, 200);
  const told = JSON.stringify(logged);
  t.true(told.includes('"password.changed"'));
  for (const secret of [ann.password, newPassword, first, fresh, token]) t.false(told.includes(secret));
});

test('a deleted account is gone with its session, cookie, tokens and rows, and the address is free', async (t) => {
  const { ask } = await serveWeb(t);
  const session = sessionOf(await ask('/signup', json(ann)));
  const mine = { Cookie: `session=${session}` };
  const { token } = Object((await ask('/settings/api-tokens', json({ name: 'ci' }, mine))).body);
  const deleted = await ask('/settings/account/delete', json({ password: ann.password }, mine));
  t.deepEqual([deleted.status, deleted.text], [204, '']);
  t.regex(deleted.headers.get('set-cookie') ?? '', /^session=; path=\/; expires=Thu, 01 Jan 1970/);
  t.is(await statusFor(ask, session), 401);
  t.is((await ask('/api/v1/prs', bearer(token))).status, 401);
  t.is((await ask('/login', json(ann))).status, 401);
  t.is((await ask('/signup', json(ann))).status, 200);
});

for (const [path, fields] of [
  ['/settings/account/password', { ...change, currentPassword: 'wrong' }],
  ['/settings/account/delete', { password: 'wrong' }],
] as const) {
  test(`POST ${path} with a wrong password → 401, and it counts like a failed login`, async (t) => {
    const limits = { loginsPerAccount: 2, loginsPerAddress: 9, signUpsPerAddress: 9 };
    const { ask, logged } = await serveWeb(t, {}, limits);
    const session = sessionOf(await ask('/signup', json(ann)));
    const mine = { Cookie: `session=${session}` };
    const wrong = await ask(path, json(fields, mine));
    t.deepEqual([wrong.status, wrong.body], [401, { error: 'The password is wrong' }]);
    t.is(wrong.headers.get('set-cookie'), null);
    const page = await ask(path, form(fields, mine));
    t.is(page.status, 401);
    t.true(page.text.includes('role="alert">The password is wrong.</p>'));
    t.is((await ask(path, json({ ...change, password: ann.password }, mine))).status, 429);
    t.is((await ask('/login', json(ann))).status, 429);
    t.is(await statusFor(ask, session), 200);
    t.is(logged.filter(({ event }) => event === 'password.failed').length, 2);
  });

  test(`POST ${path} for an account of the fixtures → 409 with the reason`, async (t) => {
    const { ask } = await serveWeb(t);
    const mine = { Cookie: 'session=acme-cookie' };
    const right = { ...change, currentPassword: 'secret', password: 'secret' };
    const refused = await ask(path, json(right, mine));
    const error = 'This account comes from a fixture file and cannot be changed here';
    t.deepEqual([refused.status, refused.body], [409, { error }]);
    const page = await ask(path, form(right, mine));
    t.is(page.status, 409);
    t.true(page.text.includes(`role="alert">${error}.</p>`));
    t.is(await statusFor(ask, 'acme-cookie'), 200);
  });
}

test('a refused new password is explained beside its field, and no password is shown', async (t) => {
  const { ask } = await serveWeb(t);
  const mine = { Cookie: `session=${sessionOf(await ask('/signup', json(ann)))}` };
  const expected = 'a password of 10 to 200 characters that is neither a common one nor your name or address';
  for (const refused of ['short', 'Password123', 'ann@new.test']) {
    const inJson = await ask('/settings/account/password', json({ ...change, newPassword: refused }, mine));
    t.deepEqual(
      [inJson.status, inJson.body],
      [400, { error: `newPassword: expected ${expected}, got other text` }],
    );
    const page = await ask('/settings/account/password', form({ ...change, newPassword: refused }, mine));
    t.is(page.status, 400);
    t.true(page.text.includes(`<p class="problem" id="newPassword-problem">Enter ${expected}.</p>`));
    t.false(page.text.includes(ann.password));
    t.false(page.text.replaceAll('<bdi>ann@new.test</bdi>', '').includes(refused));
  }
});

test('the page of the account has a form for each change, and in JSON the user', async (t) => {
  const { ask } = await serveWeb(t);
  const page = await ask('/settings/account', {
    headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' },
  });
  t.is(page.status, 200);
  for (const action of ['password', 'delete'])
    t.true(page.text.includes(`action="/settings/account/${action}"`));
  t.true(page.text.includes('<a href="/settings/account" aria-current="page">Account</a>'));
  t.notRegex(page.text, /role="(?:alert|status)"/);
  const inJson = await ask('/settings/account', {
    headers: { Cookie: 'session=acme-cookie', Accept: 'application/json' },
  });
  t.deepEqual(inJson.body, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } });
  t.is((await ask('/settings/account', { redirect: 'manual' })).status, 303);
  const above = await ask('/settings', { redirect: 'manual' });
  t.deepEqual([above.status, above.headers.get('location')], [303, '/settings/account']);
});

const reason =
  'This demo account is shared, so visitors can only read. Sign up for an account of your own to ';
const login = { email: 'acme@test.test', password: 'secret' };

/** A server on which acme's credentials are public. */
const servePublished = (t: ExecutionContext) =>
  serveWeb(t, {
    accounts: {
      ...testAccounts,
      demo: () => acme,
      isPublished: (userId) => userId === 'acme',
      isPublishedSession: (session) => session === hashSecret('acme-cookie'),
    },
  });

const asAcme = { Cookie: 'session=acme-cookie' };

test('changing a published account is answered 409 with the reason', async (t) => {
  const { ask } = await servePublished(t);
  for (const [path, body] of [
    ['/settings/api-tokens', { name: 'ci' }],
    ['/settings/api-tokens/tok-acme-token/revoke', {}],
    ['/settings/account/password', { currentPassword: 'secret', newPassword: 'plum violin rocket' }],
    ['/settings/account/delete', { password: 'secret' }],
  ] as const) {
    const refused = await ask(path, json(body, asAcme));
    t.is(refused.status, 409);
    t.true(refused.text.startsWith(`{"error":"${reason}`), refused.text);
    const page = await ask(path, form(body, asAcme));
    t.is(page.status, 409);
    t.true(page.text.includes(reason) && page.text.includes('--mutable-demo'));
  }
  t.is((await ask('/api/v1/findings/d1', { headers: { Authorization: 'Bearer acme-token' } })).status, 200);
});

test('the pages of a published account say so, and have no form that would be refused', async (t) => {
  const { ask } = await servePublished(t);
  for (const path of ['/settings/api-tokens', '/settings/account']) {
    const { text } = await ask(path, { headers: asAcme });
    t.true(text.includes('This is a shared demo account'));
    t.false(/Mint token|>Revoke<|>Change password<|>Delete account</.test(text));
  }
  const own = sessionOf(await ask('/signup', json(ann)));
  t.true((await ask('/settings/api-tokens', cookie(own))).text.includes('Mint token'));
  t.true((await ask('/settings/account', cookie(own))).text.includes('Delete account'));
});

test('a published session goes on after a logout, which clears the cookie of the visitor', async (t) => {
  const { ask } = await servePublished(t);
  const cleared = /^session=; path=\/; expires=Thu, 01 Jan 1970/;
  const page = await ask('/logout', form({}, asAcme));
  t.deepEqual([page.status, page.headers.get('location')], [303, '/login']);
  t.regex(page.headers.get('set-cookie') ?? '', cleared);
  const refused = await ask('/logout', json({}, asAcme));
  t.is(refused.status, 409);
  t.true(refused.text.startsWith(`{"error":"${reason}`), refused.text);
  t.regex(refused.headers.get('set-cookie') ?? '', cleared);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
});

test('a published session goes on after a login or a sign-up that carries it', async (t) => {
  const { ask } = await servePublished(t);
  t.is((await ask('/login', json(login, asAcme))).status, 200);
  t.is((await ask('/signup', json(ann, asAcme))).status, 200);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
});

test('a session that a visitor has started on a published account is the visitor’s own', async (t) => {
  const { ask, logged } = await servePublished(t);
  const own = sessionOf(await ask('/login', json(login)));
  const out = await ask('/logout', json({}, { Cookie: `session=${own}` }));
  t.is(out.status, 204);
  t.is((await ask('/api/v1/repos', cookie(own))).status, 401);
  t.is(logged.filter(({ event }) => event === 'logout').length, 1);
});
