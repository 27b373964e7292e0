import test from 'ava';
import { cookie } from '../../_server.js';
import { ann, form, json, serveWeb } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

test('POST requests from other sites are refused; those of the same origin or without browser headers are accepted', async (t) => {
  const { ask, url } = await serveWeb(t);
  const status = async (headers: Record<string, string>, post = form) =>
    (await ask('/login', post(login, headers))).status;
  t.is(await status({}), 303);
  t.is(await status({ Origin: url }), 303);
  t.is(await status({ Origin: 'https://evil.test' }), 403);
  t.is(await status({ Origin: 'null' }), 403);
  t.is(await status({ Origin: 'http://localhost:1' }), 403);
  t.is(await status({ Origin: url.replace('http:', 'https:') }), 403);
  t.is(await status({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }), 303);
  t.is(await status({ 'Sec-Fetch-Site': 'none' }), 303);
  t.is(await status({ 'Sec-Fetch-Site': 'cross-site' }), 403);
  t.is(await status({ 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:1' }), 403);
  t.is(await status({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.test' }, json), 403);
  t.is(await status({ 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:1' }, json), 200);
  const logout = { method: 'POST', headers: { Origin: 'http://localhost:1', Accept: 'application/json' } };
  t.is((await ask('/logout', logout)).status, 204);
  t.is(
    (await ask('/logout', { ...logout, headers: { ...logout.headers, Origin: 'https://evil.test' } })).status,
    403,
  );
  for (const path of ['/signup', '/logout', '/settings/api-tokens', '/settings/api-tokens/x/revoke']) {
    const answer = await ask(path, form(ann, { Cookie: 'session=acme-cookie', Origin: 'https://evil.test' }));
    t.is(answer.status, 403, path);
    t.regex(answer.text, /Requests from other sites are not accepted/);
  }
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
});
