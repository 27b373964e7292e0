import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { cookie } from '../../_server.js';
import { aStorage } from '../../_storage.js';
import { acme } from '../_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

test('posts from other sites are refused, those from here and from no browser taken', async (t) => {
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

test('bodies that are too long, broken, or of another kind', async (t) => {
  const { ask } = await serveWeb(t);
  const post = async (body: string, type: string) => {
    const { status, text } = await ask('/login', { method: 'POST', headers: { 'Content-Type': type }, body });
    return [status, text.startsWith('{') ? JSON.parse(text) : 'a page'];
  };
  const long = 'x'.repeat(17_000);
  t.deepEqual(await post(JSON.stringify({ email: long }), 'application/json'), [
    413,
    { error: 'The body is longer than 16kb' },
  ]);
  t.deepEqual(await post(`email=${long}`, 'application/x-www-form-urlencoded'), [413, 'a page']);
  t.deepEqual(await post('{"email":', 'application/json'), [400, { error: 'The body cannot be read' }]);
  t.deepEqual(await post('"text"', 'application/json'), [400, { error: 'The body cannot be read' }]);
  t.deepEqual(await post('<a/>', 'text/xml'), [415, 'a page']);
  t.deepEqual(await post('[]', 'application/json'), [
    400,
    { error: 'body: expected LogInForm, got an array of 0' },
  ]);
  t.deepEqual(await post('{}', 'application/json'), [
    400,
    { error: 'email: expected string, got nothing; password: expected a password, got nothing' },
  ]);
  t.deepEqual(await post('email=a&email=b&password=c', 'application/x-www-form-urlencoded'), [400, 'a page']);
  t.deepEqual(await post('{"email":1,"password":{"a":1}}', 'application/json'), [
    400,
    { error: 'email: expected string, got 1; password: expected a password, got an object' },
  ]);
});

test('failed logins are limited by account and by address; successes do not count', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 2, loginsPerAddress: 4, signUpsPerAddress: 9 });
  const attempt = async (email: string, password: string) => {
    const answer = await ask('/login', json({ email, password }));
    return [answer.status, answer.headers.get('retry-after') !== null];
  };
  for (let i = 0; i < 6; i += 1) t.deepEqual(await attempt('acme@test.test', 'secret'), [200, false]);
  t.deepEqual(await attempt('acme@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('ACME@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('acme@test.test', 'secret'), [429, true]);
  t.deepEqual(await attempt('nobody@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('nobody2@test.test', 'nope'), [401, false]);
  t.deepEqual(await attempt('other@test.test', 'secret'), [429, true]);
  const page = await ask('/login', form({ email: 'other@test.test', password: 'secret' }));
  t.is(page.status, 429);
  t.regex(page.text, /Too many attempts: try again in \d+ seconds\./);
});

test('many failed logins at once are no way round the limit', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 3, loginsPerAddress: 100, signUpsPerAddress: 9 });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask('/login', json({ email: 'acme@test.test', password: 'nope' }))),
  );
  t.is(answers.filter(({ status }) => status === 401).length, 3);
  t.is(answers.filter(({ status }) => status === 429).length, 17);
});

test('many logins that succeed at once are all let in', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 2, loginsPerAddress: 3, signUpsPerAddress: 9 });
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/login', json(login))));
  t.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
});

test('logins that fail through no fault of theirs do not count', async (t) => {
  let isDown = true;
  const storage = aStorage([acme]);
  const { ask } = await serveWeb(
    t,
    {
      storage: {
        ...storage,
        startSession: (...session) =>
          isDown ? TE.left({ _tag: 'StorageUnavailable', cause: 'down' }) : storage.startSession(...session),
      },
    },
    { loginsPerAccount: 2, loginsPerAddress: 2, signUpsPerAddress: 9 },
  );
  for (let i = 0; i < 5; i += 1) t.is((await ask('/login', json(login))).status, 503);
  isDown = false;
  t.is((await ask('/login', json(login))).status, 200);
});

test('sign-ups are limited by address; a form that was refused does not count', async (t) => {
  const { ask } = await serveWeb(t, {}, { loginsPerAccount: 9, loginsPerAddress: 9, signUpsPerAddress: 2 });
  const attempt = async (i: number, password = 'correct horse') =>
    (await ask('/signup', json({ ...ann, email: `a${i}@new.test`, password }))).status;
  t.is(await attempt(0, 'short'), 400);
  t.deepEqual([await attempt(1), await attempt(2), await attempt(3)], [200, 200, 429]);
});

test('addresses are told apart by what the proxy says, if it is to be believed', async (t) => {
  const limits = { loginsPerAccount: 99, loginsPerAddress: 1, signUpsPerAddress: 9 };
  const from = async (trustProxy: boolean) => {
    const { ask } = await serveWeb(t, { trustProxy }, limits);
    const attempt = async (address: string) =>
      (await ask('/login', json({ email: 'x@test.test', password: 'x' }, { 'X-Forwarded-For': address })))
        .status;
    return [await attempt('192.0.2.1'), await attempt('192.0.2.2')];
  };
  t.deepEqual(await from(true), [401, 401]);
  t.deepEqual(await from(false), [401, 429]);
});

test('behind TLS the cookie is Secure, when the proxy is to be believed', async (t) => {
  const cookieOf = async (trustProxy: boolean) => {
    const { ask } = await serveWeb(t, { trustProxy });
    const answer = await ask('/login', json(login, { 'X-Forwarded-Proto': 'https' }));
    return answer.headers.get('set-cookie') ?? '';
  };
  t.regex(await cookieOf(true), /; samesite=lax; secure; httponly$/);
  t.notRegex(await cookieOf(false), /secure/);
});

test('browsers are told to run no script and to show us in no frame', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of ['/', '/login', '/signup', '/api/v1/repos']) {
    const { headers, text } = await ask(path);
    t.is(
      headers.get('content-security-policy'),
      "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.notRegex(text, /<script|style="| on\w+=/);
  }
  const css = await fetch(`${(await serveWeb(t)).url}/assets/style.css`);
  t.is(css.headers.get('content-type'), 'text/css; charset=utf-8');
  t.regex(await css.text(), /prefers-color-scheme: dark/);
});

test('no redirect leads anywhere but here', async (t) => {
  const { ask } = await serveWeb(t);
  for (const query of ['?next=https://evil.test', '?redirect=//evil.test', '?return_to=%2F%2Fevil.test']) {
    t.is((await ask(`/login${query}`, form(login))).headers.get('location'), '/');
  }
  t.is((await ask('//evil.test/login', form(login))).status, 404);
});

test('pages on this machine, and of listed origins, may call with credentials; strangers are told nothing', async (t) => {
  const { ask } = await serveWeb(t, { corsOrigins: ['https://app.test'] });
  const allowed = async (Origin: string, path = '/api/v1/repos') => {
    const { headers } = await ask(path, { headers: { Origin, Cookie: 'session=acme-cookie' } });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };
  for (const origin of [
    'http://localhost:5173',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://[::1]:8080',
    'http://app.localhost:5173',
    'https://app.test',
  ]) {
    t.deepEqual(await allowed(origin), [origin, 'true'], origin);
    t.deepEqual(await allowed(origin, '/api/v1/nope'), [origin, 'true'], origin);
  }
  for (const origin of [
    'https://evil.test',
    'null',
    'http://localhost.evil.test',
    'http://evil-localhost',
    'http://127.0.0.1.evil.test',
    'https://app.test:444',
    'http://app.test',
    'http://localhost:5173/path',
  ]) {
    t.deepEqual(await allowed(origin), [null, null], origin);
  }
  const { headers } = await ask('/api/v1/findings?x=1', {
    headers: { Origin: 'http://localhost:1', Cookie: 'session=acme-cookie' },
  });
  t.is(headers.get('vary'), 'Origin, Cookie, Authorization');
  t.is(
    headers.get('access-control-expose-headers'),
    'Allow,ETag,Retry-After,WWW-Authenticate,X-Triage-Warning',
  );
  t.is(
    (await ask('/api/v1/repos', cookie('acme-cookie'))).headers.get('vary'),
    'Origin, Cookie, Authorization',
  );
});

test('preflights', async (t) => {
  const { ask } = await serveWeb(t);
  const preflight = (Origin: string) =>
    ask('/login', {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
  const mine = await preflight('http://localhost:5173');
  t.is(mine.status, 204);
  t.deepEqual(
    ['allow-origin', 'allow-credentials', 'allow-methods', 'allow-headers', 'max-age'].map((name) =>
      mine.headers.get(`access-control-${name}`),
    ),
    [
      'http://localhost:5173',
      'true',
      'GET,HEAD,POST',
      'Accept,Authorization,Content-Type,If-None-Match',
      '600',
    ],
  );
  const strange = await preflight('https://evil.test');
  t.is(strange.headers.get('access-control-allow-origin'), null);
  t.is(strange.headers.get('access-control-allow-methods'), null);
});

test('secrets of accounts never show in logs', async (t) => {
  const { ask, logged, accessed } = await serveWeb(t);
  const value = sessionOf(await ask('/signup', json(ann)));
  await ask('/login?password=hunter2', json({ email: 'ann@new.test', password: 'correct horse' }));
  await ask('/settings/api-tokens', json({ name: 'x' }, { Cookie: `session=${value}` }));
  for (let i = 0; i < 250 && accessed.length < 3; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(accessed.length, 3);
  t.false(JSON.stringify([logged, accessed]).includes(value));
  t.notRegex(JSON.stringify([logged, accessed]), /horse|hunter2|triage_/);
});
