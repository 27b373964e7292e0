import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { at, now } from '../_data.js';
import { bearer, cookie } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const noBody = { method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } } as const;

test('each login starts a new session and ends the one that the request came with', async (t) => {
  const { ask } = await serveWeb(t);
  const credentials = { email: 'acme@test.test', password: 'secret' };
  const first = await ask('/login', json(credentials));
  t.deepEqual(first.body, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } });
  const again = await ask(
    '/login',
    json({ ...credentials, email: 'ACME@test.test' }, { Cookie: `session=${sessionOf(first)}` }),
  );
  t.not(sessionOf(again), sessionOf(first));
  t.is((await ask('/api/v1/repos', cookie(sessionOf(first)))).status, 401);
  t.is((await ask('/api/v1/repos', cookie(sessionOf(again)))).status, 200);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
  const planted = await ask('/login', form(credentials, { Cookie: 'session=planted-by-somebody' }));
  t.deepEqual([planted.status, planted.headers.get('location')], [303, '/']);
  t.not(sessionOf(planted), 'planted-by-somebody');
});

test('an unknown address and a wrong password get the same response', async (t) => {
  const { ask } = await serveWeb(t);
  const unknown = await ask('/login', json({ email: 'nobody@test.test', password: 'secret' }));
  const wrong = await ask('/login', json({ email: 'acme@test.test', password: 'Secret' }));
  t.deepEqual(
    [unknown.status, unknown.body],
    [401, { error: 'The e-mail address or the password is wrong' }],
  );
  t.deepEqual([wrong.status, wrong.text], [unknown.status, unknown.text]);
  t.is(unknown.headers.get('www-authenticate'), 'Cookie realm="triage-api", cookie-name="session"');
  const pages = await Promise.all(
    ['nobody@test.test', 'acme@test.test'].map((email) => ask('/login', form({ email, password: 'nope' }))),
  );
  t.deepEqual(
    pages.map(({ status }) => status),
    [401, 401],
  );
  t.is(pages[0]?.text.replaceAll('nobody@', 'acme@'), pages[1]?.text);
});

test('the login page keeps the address of a refused form, and the field is empty without one', async (t) => {
  const { ask } = await serveWeb(t);
  const emailIn = ({ text }: Readonly<{ text: string }>) => / name="email".* value="(.*?)"/.exec(text)?.[1];
  t.is(emailIn(await ask('/login')), '');
  t.is(emailIn(await ask('/login', form({ password: 'secret' }))), '');
  t.is(emailIn(await ask('/login', form({ 'email[a]': 'b', password: 'secret' }))), '');
  t.is(emailIn(await ask('/login', form({ email: 'acme@test.test', password: 'x' }))), 'acme@test.test');
});

test('the page of a refused form shows who is signed in', async (t) => {
  const { ask } = await serveWeb(t);
  const refused = await ask(
    '/login',
    form({ email: 'acme@test.test', password: 'x' }, { Cookie: 'session=acme-cookie' }),
  );
  t.is(refused.status, 401);
  t.true(
    refused.text.includes('<span class="who"><span class="as">Signed in as</span> <bdi>acme</bdi></span>'),
  );
});

test('logging out ends the session on the server and expires the cookie', async (t) => {
  const { ask } = await serveWeb(t);
  const value = sessionOf(await ask('/signup', json(ann)));
  const out = await ask('/logout', { ...noBody, headers: { ...noBody.headers, Cookie: `session=${value}` } });
  t.is(out.status, 204);
  t.regex(out.headers.get('set-cookie') ?? '', /^session=; path=\/; expires=Thu, 01 Jan 1970/);
  t.is((await ask('/api/v1/repos', cookie(value))).status, 401);
  const ofFixtures = await ask('/logout', { method: 'POST', redirect: 'manual', ...cookie('acme-cookie') });
  t.deepEqual([ofFixtures.status, ofFixtures.headers.get('location')], [303, '/login']);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 401);
  t.is((await ask('/logout', noBody)).status, 204);
});

test('logging out makes the browser forget the pages and data that it has kept, and nothing else does', async (t) => {
  const { ask } = await serveWeb(t);
  const out = await ask('/logout', json({}, { Cookie: 'session=other-cookie' }));
  t.deepEqual([out.status, out.headers.get('clear-site-data')], [204, '"cache"']);
  const login = await ask('/login', json({ email: 'acme@test.test', password: 'secret' }));
  t.deepEqual([login.status, login.headers.get('clear-site-data')], [200, null]);
});

test('GET /session says who is signed in and until when, in JSON, and is not cached', async (t) => {
  const { ask } = await serveWeb(t);
  const session = sessionOf(await ask('/signup', json(ann)));
  for (const Accept of ['application/json', 'text/html', '*/*']) {
    const answer = await ask('/session', { headers: { Accept, Cookie: `session=${session}` } });
    t.is(answer.status, 200);
    const { user, expiresAt } = Object(answer.body);
    t.deepEqual(answer.body, {
      user: { id: user.id, email: ann.email, name: ann.name },
      expiresAt: '2026-11-27T12:00:00.000Z',
    });
    t.regex(user.id, /^usr_/);
    t.is(Date.parse(expiresAt), at(now) + 7 * 24 * 60 * 60 * 1000);
    t.is(answer.headers.get('cache-control'), 'no-store');
  }
});

test('the end of a session of the fixtures is theirs, however far away', async (t) => {
  for (const expiresAt of [
    '2026-11-20T12:00:00.001Z',
    '2026-11-21T03:04:05.678Z',
    '2026-12-24T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    const sessions = acme.sessions.map((session) => ({ ...session, expiresAt }));
    const { ask } = await serveWeb(t, { storage: aStorage([Object({ ...acme, sessions })]) });
    t.is(Object((await ask('/session', cookie('acme-cookie'))).body).expiresAt, expiresAt);
  }
});

test('GET /session is 401 without a valid session, also with a token', async (t) => {
  const { ask } = await serveWeb(t);
  for (const init of [{}, cookie('nope'), bearer('acme-token')]) {
    const answer = await ask('/session', init);
    t.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }]);
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.regex(answer.headers.get('www-authenticate') ?? '', /^Cookie /);
  }
});

test('GET /session is 503 while the storage is down', async (t) => {
  const caller = async () => E.left({ _tag: 'StorageUnavailable', cause: 'down' } as const);
  const { ask } = await serveWeb(t, { storage: { ...aStorage([acme]), caller } });
  t.is((await ask('/session', cookie('acme-cookie'))).status, 503);
});

const login = { email: 'acme@test.test', password: 'secret' };

test('X-Forwarded-Proto: https makes the session cookie Secure only with trustProxy', async (t) => {
  const cookieOf = async (trustProxy: boolean) => {
    const { ask } = await serveWeb(t, { trustProxy });
    const answer = await ask('/login', json(login, { 'X-Forwarded-Proto': 'https' }));
    return answer.headers.get('set-cookie') ?? '';
  };
  t.regex(await cookieOf(true), /; samesite=lax; secure; httponly$/);
  t.notRegex(await cookieOf(false), /secure/);
});

test('with crossSiteCookies, sessions work on other sites over HTTPS, and over HTTP they stay as they are', async (t) => {
  const { ask } = await serveWeb(t, {
    trustProxy: true,
    crossSiteCookies: true,
    corsOrigins: ['https://app.test'],
  });
  const https = { 'X-Forwarded-Proto': 'https', Origin: 'https://app.test', 'Sec-Fetch-Site': 'cross-site' };
  const started = (await ask('/login', json(login, https))).headers.get('set-cookie') ?? '';
  t.regex(started, /; samesite=none; secure; httponly; partitioned$/);
  const [Cookie = ''] = started.split(';');
  t.is((await ask('/api/v1/repos', { headers: { ...https, Cookie } })).status, 200);
  const ended = await ask('/logout', { ...json({}, { ...https, Cookie }) });
  t.is(ended.status, 204);
  t.regex(
    ended.headers.get('set-cookie') ?? '',
    /^session=; .*1970.*; samesite=none; secure; httponly; partitioned$/,
  );
  const plain = (await ask('/login', json(login))).headers.get('set-cookie') ?? '';
  t.regex(plain, /; samesite=lax; httponly$/);
});

test('a cookie that other sites send along still lets none of them act', async (t) => {
  const { ask } = await serveWeb(t, { trustProxy: true, crossSiteCookies: true });
  const evil = { Cookie: 'session=acme-cookie', 'X-Forwarded-Proto': 'https', Origin: 'https://evil.test' };
  t.is((await ask('/settings/api-tokens', json({ name: 'x' }, evil))).status, 403);
  const read = await ask('/api/v1/repos', { headers: evil });
  t.is(read.headers.get('access-control-allow-origin'), null);
  t.is(read.headers.get('cross-origin-resource-policy'), 'same-origin');
});
