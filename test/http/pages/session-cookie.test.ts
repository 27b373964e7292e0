import test from 'ava';
import { json, serveWeb } from './_browserless.js';

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
