import test from 'ava';
import { cookie, serve } from '../../_server.js';
import { acme } from '../_world.js';
import { serveWeb } from './_browserless.js';

test('without a session, the API tokens page redirects to the login, and the start page links to it', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/settings/api-tokens', { redirect: 'manual', headers: { Accept: 'text/html' } });
  t.deepEqual([answer.status, answer.headers.get('location')], [303, '/login?next=%2Fsettings%2Fapi-tokens']);
  t.regex((await ask('/')).text, /href="\/login"/);
  t.true(
    (await ask('/', cookie('acme-cookie'))).text.includes(
      'You are signed in as <bdi>acme</bdi> <span class="email">(<bdi>acme@test.test</bdi>).</span>',
    ),
  );
});

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

test('every page has the same header, which says who is signed in', async (t) => {
  const { ask } = await serveWeb(t);
  const links = ['href="/explore"', 'href="/docs"', 'href="/settings/api-tokens"'];
  for (const path of [
    '/',
    '/login',
    '/signup',
    '/docs',
    '/settings/account',
    '/explore',
    '/nowhere',
    '/logout',
  ]) {
    const signedIn = await ask(path, {
      headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' },
    });
    const [header = ''] = /<header>.*<\/header>/s.exec(signedIn.text) ?? [];
    for (const link of links) t.true(header.includes(link), `${path}: ${link}`);
    t.regex(header, /Signed in as<\/span> <bdi>acme<\/bdi>/, path);
    const signedOut = await ask(path, { headers: { Accept: 'text/html' } });
    const [other = ''] = /<header>.*<\/header>/s.exec(signedOut.text) ?? [];
    for (const link of links) t.true(other.includes(link), `${path}, signed out: ${link}`);
    t.true(other.includes('href="/login"'), path);
  }
});
