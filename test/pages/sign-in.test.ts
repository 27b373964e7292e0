import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { limiterOf } from '../_limits.js';
import { bearer, cookie, testAccounts } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };
const unknown = { email: 'nobody@test.test', password: 'secret' };

test('each login starts a new session and ends the one that the request came with', async (t) => {
  const { ask } = await serveWeb(t);
  const first = await ask('/login', json(login));
  t.deepEqual(first.body, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } });
  const inCapitals = { ...login, email: 'ACME@test.test' };
  const again = await ask('/login', json(inCapitals, { Cookie: `session=${sessionOf(first)}` }));
  t.not(sessionOf(again), sessionOf(first));
  for (const [session, status] of [
    [sessionOf(first), 401],
    [sessionOf(again), 200],
    ['acme-cookie', 200],
  ] as const)
    t.is((await ask('/api/v1/repos', cookie(session))).status, status);
  const planted = await ask('/login', form(login, { Cookie: 'session=planted-by-somebody' }));
  t.deepEqual([planted.status, planted.headers.get('location')], [303, '/']);
  t.not(sessionOf(planted), 'planted-by-somebody');
});

test('a failed login ends no session, and its page shows who is signed in', async (t) => {
  const { ask } = await serveWeb(t);
  const refused = await ask('/login', form({ ...login, password: 'x' }, { Cookie: 'session=acme-cookie' }));
  t.is(refused.status, 401);
  t.regex(refused.text, /<span class="who"><span class="as">Signed in as<\/span> <bdi>acme<\/bdi><\/span>/);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
});

test('the login page says that a session has ended, and nothing of it to others', async (t) => {
  const { ask } = await serveWeb(t);
  const html = (session: string) => ({ headers: { Accept: 'text/html', Cookie: `session=${session}` } });
  const ended = 'Your session has ended. Log in to go on.';
  t.true((await ask('/login?next=/explore', html('of-long-ago'))).text.includes(ended));
  for (const init of [html('acme-cookie'), { headers: { Accept: 'text/html' } }])
    t.false((await ask('/login', init)).text.includes(ended));
});

test('an unknown address and a wrong password get the same response, for the same work', async (t) => {
  const compared: string[] = [];
  const isPassword: typeof testAccounts.isPassword = async (_, hash) => {
    compared.push(hash === null ? 'a decoy' : 'a hash');
    return false;
  };
  const { ask } = await serveWeb(t, { accounts: { ...testAccounts, isPassword } });
  const [absent, wrong] = [await ask('/login', json(unknown)), await ask('/login', json(login))];
  t.deepEqual([absent.status, absent.body], [401, { error: 'The e-mail address or the password is wrong' }]);
  t.deepEqual([wrong.status, wrong.text], [absent.status, absent.text]);
  t.is(absent.headers.get('www-authenticate'), 'Cookie realm="triage-api", cookie-name="session"');
  const pages = [await ask('/login', form(unknown)), await ask('/login', form(login))];
  t.deepEqual(
    pages.map(({ status }) => status),
    [401, 401],
  );
  t.is(pages[0]?.text.replaceAll('nobody@', 'acme@'), pages[1]?.text);
  t.deepEqual(compared, ['a decoy', 'a hash', 'a decoy', 'a hash']);
});

test('a login whose comparison throws is answered 500, and does not count', async (t) => {
  let isBroken = true;
  const isPassword: typeof testAccounts.isPassword = async (...given) => {
    if (isBroken) throw new Error('out of memory');
    return testAccounts.isPassword(...given);
  };
  const attempts = limiterOf({ loginsPerAccount: 1 });
  const { ask } = await serveWeb(t, { accounts: { ...testAccounts, attempts, isPassword } });
  t.is((await ask('/login', json(login))).status, 500);
  isBroken = false;
  t.is((await ask('/login', json(login))).status, 200);
});

test('logins of a stranger end only the stranger’s own sessions of a shared account', async (t) => {
  const { ask } = await serveWeb(t, {
    trustProxy: true,
    accounts: { ...testAccounts, attempts: limiterOf(), isPassword: async () => true },
  });
  const mine = cookie(sessionOf(await ask('/login', json(login, { 'X-Forwarded-For': '192.0.2.1' }))));
  const theirs = json(login, { 'X-Forwarded-For': '198.51.100.1' });
  const first = cookie(sessionOf(await ask('/login', theirs)));
  for (let i = 0; i < 501; i += 1) await ask('/login', theirs);
  t.deepEqual([(await ask('/session', mine)).status, (await ask('/session', first)).status], [200, 401]);
});

test('logins, logouts and sign-ups are logged with the user, those that fail or are refused, too', async (t) => {
  const { ask, logged } = await serveWeb(t, {}, { loginsPerAccount: 1, signUpsPerAddress: 1 });
  const { headers } = await ask('/login', json(login));
  await ask('/logout', json({}, { Cookie: `session=${sessionOf({ headers })}` }));
  // Neither fails, and neither is logged.
  for (const more of [{ Cookie: 'session=unknown' }, {}])
    t.is((await ask('/logout', json({}, more))).status, 204);
  for (const fields of [{ ...login, password: 'x' }, login, unknown]) await ask('/login', json(fields));
  const { user } = Object((await ask('/signup', json(ann))).body);
  await ask('/signup', json({ ...ann, email: 'bob@new.test' }));
  t.deepEqual(
    logged.map(({ event, level, facts }) => [event, level, facts.userId === user.id ? 'new' : facts.userId]),
    [
      ['login.succeeded', 'info', 'acme'],
      ['logout', 'info', 'acme'],
      ['login.failed', 'warn', 'acme'],
      ['login.limited', 'warn', undefined],
      ['login.failed', 'warn', null],
      ['signup.succeeded', 'info', 'new'],
      ['signup.limited', 'warn', undefined],
    ],
  );
});

test('the login page keeps the address of a refused form, and the field is empty without one', async (t) => {
  const { ask } = await serveWeb(t);
  const emailIn = (text: string) => / name="email".* value="(.*?)"/.exec(text)?.[1];
  t.is(emailIn((await ask('/login')).text), '');
  for (const [fields, shown] of [
    [{ password: 'secret' }, ''],
    [{ 'email[a]': 'b', password: 'secret' }, ''],
    [{ ...login, password: 'x' }, 'acme@test.test'],
  ] as const)
    t.is(emailIn((await ask('/login', form(fields))).text), shown);
});

test('logging out ends the session on the server, expires the cookie, and clears what the browser has cached', async (t) => {
  const { ask } = await serveWeb(t);
  const signedUp = await ask('/signup', json(ann));
  t.is(signedUp.headers.get('clear-site-data'), null);
  const value = sessionOf(signedUp);
  const out = await ask('/logout', json({}, { Cookie: `session=${value}` }));
  t.deepEqual([out.status, out.headers.get('clear-site-data')], [204, '"cache"']);
  t.regex(out.headers.get('set-cookie') ?? '', /^session=; path=\/; expires=Thu, 01 Jan 1970/);
  t.is((await ask('/api/v1/repos', cookie(value))).status, 401);
  const ofForm = await ask('/logout', form({}, { Cookie: 'session=acme-cookie' }));
  t.deepEqual([ofForm.status, ofForm.headers.get('location')], [303, '/login']);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 401);
});

test('GET /session says who is signed in and until when, in JSON, and is not cached', async (t) => {
  const { ask } = await serveWeb(t);
  const signedUp = await ask('/signup', json(ann));
  for (const Accept of ['application/json', 'text/html', '*/*']) {
    const answer = await ask('/session', { headers: { Accept, ...cookie(sessionOf(signedUp)).headers } });
    t.is(answer.status, 200);
    const { user } = Object(signedUp.body);
    t.deepEqual(answer.body, { user, expiresAt: '2026-11-27T12:00:00.000Z' });
    t.is(answer.headers.get('cache-control'), 'no-store');
  }
  const expiresAt = '9999-12-31T23:59:59.999Z';
  const sessions = acme.sessions.map((session) => ({ ...session, expiresAt }));
  const late = await serveWeb(t, { storage: aStorage([Object({ ...acme, sessions })]) });
  t.like((await late.ask('/session', cookie('acme-cookie'))).body, { expiresAt });
});

test('GET /session is 401 without a valid session, also with a token, and 503 while the storage is down', async (t) => {
  const { ask } = await serveWeb(t);
  for (const init of [{}, cookie('nope'), bearer('acme-token')]) {
    const answer = await ask('/session', init);
    t.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }]);
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.regex(answer.headers.get('www-authenticate') ?? '', /^Cookie /);
  }
  const caller = async () => E.left({ _tag: 'StorageUnavailable', cause: 'down' } as const);
  const down = await serveWeb(t, { storage: { ...aStorage([acme]), caller } });
  t.is((await down.ask('/session', cookie('acme-cookie'))).status, 503);
});

test('with crossSiteCookies, sessions work on the sites that are allowed over HTTPS, and let no other act', async (t) => {
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
  const evil = { Cookie, 'X-Forwarded-Proto': 'https', Origin: 'https://evil.test' };
  t.is((await ask('/settings/api-tokens', json({ name: 'x' }, evil))).status, 403);
  const read = await ask('/api/v1/repos', { headers: evil });
  t.is(read.headers.get('access-control-allow-origin'), null);
  t.is(read.headers.get('cross-origin-resource-policy'), 'same-origin');
  const ended = await ask('/logout', json({}, { ...https, Cookie }));
  t.is(ended.status, 204);
  const cleared = /^session=; .*1970.*; samesite=none; secure; httponly; partitioned$/;
  t.regex(ended.headers.get('set-cookie') ?? '', cleared);
  const plain = (await ask('/login', json(login))).headers.get('set-cookie') ?? '';
  t.regex(plain, /; samesite=lax; httponly$/);
  const direct = await serveWeb(t);
  const claimed = await direct.ask('/login', json(login, { 'X-Forwarded-Proto': 'https' }));
  t.notRegex(claimed.headers.get('set-cookie') ?? '', /secure/);
});
