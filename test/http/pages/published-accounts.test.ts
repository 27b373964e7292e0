import test, { type ExecutionContext } from 'ava';
import { hashSecret } from '../../../src/accounts/sessions-and-tokens.js';
import { cookie, testAccounts } from '../../_server.js';
import { acme } from '../_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

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

test('an account that is not published can be changed', async (t) => {
  const { ask } = await servePublished(t);
  const own = { Cookie: `session=${sessionOf(await ask('/signup', json(ann)))}` };
  const minted = await ask('/settings/api-tokens', json({ name: 'ci' }, own));
  t.is(minted.status, 201);
  const { id } = Object(minted.body);
  t.is((await ask(`/settings/api-tokens/${id}/revoke`, json({}, own))).status, 204);
});
