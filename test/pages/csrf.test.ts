import { gzipSync } from 'node:zlib';
import test from 'ava';
import { cookie } from '../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

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
  for (const path of [
    ...['/signup', '/logout', '/login/demo', '/settings/account/password', '/settings/account/delete'],
    ...['/settings/api-tokens', '/settings/api-tokens/x/revoke'],
  ]) {
    const answer = await ask(path, form(ann, { Cookie: 'session=acme-cookie', Origin: 'https://evil.test' }));
    t.is(answer.status, 403, path);
    t.regex(answer.text, /Requests from other sites are not accepted/);
  }
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
});

test('whoever runs the page that was refused is told what to set', async (t) => {
  const { ask, url } = await serveWeb(t);
  const errorOf = async (headers: Readonly<Record<string, string>>) =>
    Object((await ask('/login', json(login, headers))).body).error;
  t.is(
    await errorOf({ Origin: 'http://app.test:5173' }),
    `Requests from other sites are not accepted. This one comes from a page of http://app.test:5173 and was sent to ${url}. If the page is yours, start the server with --cors-origin http://app.test:5173 and send JSON; if a proxy in between has replaced the Host header (changeOrigin), let it keep the header, or let it send X-Forwarded-Host and start the server with --trust-proxy`,
  );
  const aForm = await ask('/login', form(login, { Origin: 'http://localhost:1', Accept: 'text/html' }));
  t.true(aForm.text.includes('Pages of http://localhost:1 may send JSON to this server, but no forms.'));
  for (const Origin of ['null', 'https://evil.test/<script>', 'moz-extension://abc']) {
    t.is(await errorOf({ Origin }), 'Requests from other sites are not accepted', Origin);
  }
});

test('a page behind a proxy that does not state https is told so', async (t) => {
  const { ask } = await serveWeb(t, { trustProxy: true });
  const headers = { Origin: 'https://app.test', 'X-Forwarded-Host': 'app.test' };
  t.regex((await ask('/login', json(login, headers))).text, /let the proxy send X-Forwarded-Proto/);
  t.is((await ask('/login', json(login, { ...headers, 'X-Forwarded-Proto': 'https' }))).status, 200);
});

test('a page behind a proxy that has replaced the Host header logs in once what the message names is set', async (t) => {
  const Origin = 'http://app.test:5173';
  for (const [over, headers] of [
    [{ corsOrigins: [Origin] }, { Origin }],
    [{ trustProxy: true }, { Origin, 'X-Forwarded-Host': 'app.test:5173' }],
  ] as const) {
    t.is((await (await serveWeb(t)).ask('/login', json(login, headers))).status, 403);
    t.is((await (await serveWeb(t, over)).ask('/login', json(login, headers))).status, 200);
  }
});

test('a body that is too long, malformed, of another type or with invalid fields is refused', async (t) => {
  const { ask } = await serveWeb(t);
  const [asJson, asForm] = ['application/json', 'application/x-www-form-urlencoded'];
  const long = 'x'.repeat(17_000);
  const deep = `{"name":${'['.repeat(500)}${']'.repeat(500)}}`;
  const unreadable = 'The body cannot be read';
  const noFields = (email: string, password: string) =>
    `email: expected an e-mail address, got ${email}; password: expected a password, got ${password}`;
  for (const [body, type, status, error] of [
    [JSON.stringify({ email: long }), asJson, 413, 'The body is longer than 16kb'],
    [`email=${long}`, asForm, 413, null],
    ['{"email":', asJson, 400, unreadable],
    ['"text"', asJson, 400, unreadable],
    [deep, asJson, 400, unreadable],
    ['<a/>', 'text/xml', 415, null],
    ['[]', asJson, 400, 'body: expected LogInForm, got an array of 0'],
    ['{}', asJson, 400, noFields('nothing', 'nothing')],
    ['email=a&email=b&password=c', asForm, 400, null],
    ['{"email":1,"password":{"a":1}}', asJson, 400, noFields('1', 'an object')],
  ] as const) {
    const answer = await ask('/login', { method: 'POST', headers: { 'Content-Type': type }, body });
    const about = body.slice(0, 40);
    t.is(answer.status, status, about);
    if (error === null) t.regex(answer.text, /^<!doctype html>/, about);
    else t.deepEqual(answer.body, { error }, about);
  }
});

test('a compressed body counts with its full length', async (t) => {
  const { ask } = await serveWeb(t);
  const post = (body: string) =>
    ask('/signup', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(body),
    });
  t.is((await post(JSON.stringify(ann))).status, 200);
  t.is((await post(JSON.stringify({ ...ann, name: 'x'.repeat(10_000_000) }))).status, 413);
});

test('fields that a form does not have change nothing', async (t) => {
  const { ask } = await serveWeb(t);
  const signUp = await ask('/signup', json({ ...ann, id: 'acme', userId: 'acme', passwordHash: 'x' }));
  const { id } = Object(Object(signUp.body).user);
  t.regex(id, /^usr_/);
  const cookie = { Cookie: `session=${sessionOf(signUp)}` };
  const minted = await ask(
    '/settings/api-tokens',
    json({ name: 'ci', id: 'tok_mine', userId: 'acme', token: 'triage_chosen', createdAt: 'x' }, cookie),
  );
  t.is(minted.status, 201);
  t.notRegex(minted.text, /tok_mine|triage_chosen/);
  const mine = await ask('/api/v1/repos', { headers: cookie });
  t.deepEqual([mine.status, Object(mine.body).every((repo: unknown) => Object(repo).isDemoRow)], [200, true]);
});

test('no body changes the prototype of objects', async (t) => {
  const { ask } = await serveWeb(t);
  const { email, name, password } = ann;
  const posted = await ask(
    '/signup',
    json(`{"__proto__":{"isAdmin":true},"email":"${email}","name":"${name}","password":"${password}"}`),
  );
  t.is(posted.status, 200);
  const fields = {
    ...ann,
    email: 'ben@acme.test',
    '__proto__[isAdmin]': '1',
    'constructor[prototype][isAdmin]': '1',
  };
  t.is((await ask('/signup', form(fields))).status, 303);
  t.false('isAdmin' in {});
});
