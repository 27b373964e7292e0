import test from 'ava';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { cookie, serve } from '../_server.js';
import { acme } from '../koa/_world.js';
import { serveWeb } from './_browserless.js';

test('the start page shows the mode and the endpoints, each with its place in the reference', async (t) => {
  const { ask } = await serveWeb(t);
  const { text, headers } = await ask('/');
  t.regex(text, /Mock server: everything here is demo data from fixtures/);
  for (const [id, tag, path] of [
    ['listConnectedRepos', 'Repositories', '/api/v1/repos'],
    ['listFindings', 'Findings', '/api/v1/findings'],
    ['getFinding', 'Findings', '/api/v1/findings/{id}'],
    ['listPrs', 'Pull%20requests', '/api/v1/prs'],
  ]) {
    t.true(text.includes(`<a href="/docs#/${tag}/${id}"><code>GET ${path}</code></a>`), path);
  }
  t.is(headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(headers.get('cache-control'), 'no-store');
  t.regex(
    (await ask('/docs')).text,
    /<a href="\/login">Log in<\/a> or <a href="\/signup">sign up<\/a>, open/,
  );
  t.regex(
    (await (await serveWeb(t, { mode: 'database' })).ask('/')).text,
    /Database: your changes are stored permanently/,
  );
});

test('a user whose name shows nothing is called by the address', async (t) => {
  const { ask } = await serve(t, [{ ...acme, user: { ...acme.user, name: ' \u{200b}' } }]);
  for (const [path, sentence] of [
    ['/', 'You are signed in as <span class="email"><bdi>acme@test.test</bdi>.</span></p>'],
    ['/docs', 'You are signed in as <bdi>acme@test.test</bdi>, so'],
    ['/explore', 'Signed in as</span> <bdi>acme@test.test</bdi>'],
  ] as const) {
    t.true((await ask(path, cookie('acme-cookie'))).text.includes(sentence), path);
  }
});

test('every page but those of the login has the same header, which says who is signed in', async (t) => {
  const { ask } = await serveWeb(t);
  const headerOf = async (path: string, more = {}): Promise<string> => {
    const { text } = await ask(path, { headers: { Accept: 'text/html', ...more } });
    return /<header>.*<\/header>/s.exec(text)?.[0] ?? '';
  };
  const links = ['href="/explore"', 'href="/docs"', 'href="/settings/api-tokens"'];
  const open = ['/', '/docs', '/nowhere', '/logout'];
  for (const path of [...open, '/settings/account', '/explore']) {
    const header = await headerOf(path, { Cookie: 'session=acme-cookie' });
    for (const link of links) t.true(header.includes(link), `${path}: ${link}`);
    t.regex(header, /Signed in as<\/span> <bdi>acme<\/bdi>/, path);
  }
  for (const path of open) {
    const header = await headerOf(path);
    for (const link of links) t.true(header.includes(link), `${path}, signed out: ${link}`);
    t.true(header.includes('href="/login"'), path);
  }
  for (const path of ['/login', '/signup']) {
    t.regex(await headerOf(path, { Cookie: 'session=acme-cookie' }), /<bdi>acme<\/bdi>/, path);
    t.regex(await headerOf(path), /href="\/login"/, path);
  }
});

test('/openapi.json is open to everybody, and the document of the API', async (t) => {
  const { ask } = await serve(t, []);
  const { status, text } = await ask('/openapi.json');
  t.deepEqual([status, text], [200, JSON.stringify(openApiDocument(readExamples()))]);
});

test('only /docs allows scripts, its own, and requests to this server', async (t) => {
  const { ask } = await serve(t, []);
  const policy = async (path: string): Promise<string> =>
    (await ask(path)).headers.get('content-security-policy') ?? '';
  const usual =
    "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'";
  t.is(await policy('/docs'), `${usual};script-src 'self';connect-src 'self'`);
  for (const path of ['/', '/login', '/openapi.json', '/docs/start.js', '/docs/', '/nowhere']) {
    t.is(await policy(path), usual, path);
  }
});
