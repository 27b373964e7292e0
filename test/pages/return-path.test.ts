import test from 'ava';
import fc from 'fast-check';
import { isLocalPath } from '../../src/pages/return-path.js';
import { runs } from '../_runs.js';
import { cookie } from '../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

/** Paths that lead elsewhere, or could, and others to which nobody returns. */
const hostile = [
  ...['', '/\t/evil.test', '/\n/evil.test', '/\r\nSet-Cookie: a=b', '\t//evil.test', ' //evil.test'],
  ...['/ /evil.test', '/\u00e9', '/\u2028', 'javascript:alert(1)', `/${'a'.repeat(2000)}`],
  ...'https://evil.test http:/evil.test //evil.test ///evil.test /\\evil.test \\\\evil.test evil.test'.split(
    ' ',
  ),
  ...'/.//evil.test /..//evil.test /a/..//evil.test /%2e//evil.test /%2E%2e//evil.test /.%2e//evil.test'.split(
    ' ',
  ),
  '@evil.test',
  // Pages on the way to others.
  ...['/login', '/login?next=/docs', '/logout', '/signup'],
];

test('no text leads elsewhere, whatever it is made of', (t) => {
  const pieces = ['\t', '\n', ' ', ...'/ \\ . .. %2e %2E %2f %5c : @ ? # evil.test'.split(' ')];
  const base = 'http://127.0.0.1:4000';
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }))), (parts) => {
      const text = `/${parts.join('')}`;
      if (!isLocalPath(text)) return;
      const { origin, pathname } = new URL(text, base);
      t.is(origin, base, text);
      t.false(pathname.startsWith('//'), text);
    }),
    runs(),
  );
});

test('a page that needs a login leads to it and back', async (t) => {
  const { ask } = await serveWeb(t);
  const html = { Accept: 'text/html' };
  const asked = await ask('/settings/account?x=1', { redirect: 'manual', headers: html });
  const location = asked.headers.get('location') ?? '';
  t.is(location, '/login?next=%2Fsettings%2Faccount%3Fx%3D1');
  const shown = await ask(location);
  t.true(shown.text.includes('<input type="hidden" name="next" value="/settings/account?x=1">'));
  const wrong = await ask('/login', form({ ...login, password: 'nope', next: '/settings/account?x=1' }));
  t.is(wrong.status, 401);
  t.true(wrong.text.includes('name="next" value="/settings/account?x=1"'));
  const right = await ask('/login', form({ ...login, next: '/settings/account?x=1' }));
  t.deepEqual([right.status, right.headers.get('location')], [303, '/settings/account?x=1']);
  t.not(sessionOf(right), '');
  const long = await ask(`/settings/account?x=${'1'.repeat(1000)}`, { redirect: 'manual', headers: html });
  t.deepEqual([long.status, long.headers.get('location')], [303, '/login']);
});

test('a link to the login page leads back to the page with the link', async (t) => {
  const { ask, url } = await serveWeb(t);
  const from = async (Referer: string) =>
    /name="next" value="([^"]*)"/.exec((await ask('/login', { headers: { Referer } })).text)?.[1] ?? null;
  t.is(await from(`${url}/docs`), '/docs');
  t.is(await from(`${url}/login?next=/docs`), null);
  t.is(await from(`${url}//evil.test`), null);
  t.is(await from('https://evil.test/docs'), null);
  t.is(await from(`${url}.evil.test/docs`), null);
});

test('where a proxy has replaced the Host header, the browser says if a link has the same origin', async (t) => {
  const { ask } = await serveWeb(t);
  const from = async (site: string, Referer = 'http://localhost:3000/x?y=1') => {
    const { text } = await ask('/login', { headers: { Referer, 'Sec-Fetch-Site': site } });
    return /name="next" value="([^"]*)"/.exec(text)?.[1] ?? null;
  };
  t.is(await from('same-origin'), '/x?y=1');
  for (const site of ['same-site', 'cross-site', 'none']) t.is(await from(site), null, site);
  for (const referrer of ['http://localhost:3000', 'http://localhost:3000//evil.test', 'about:blank'])
    t.is(await from('same-origin', referrer), null, referrer);
});

test('where to return to is kept on the way from one page of the login to another', async (t) => {
  const { ask, url } = await serveWeb(t);
  const returning = '?next=%2Fx%3Fy%3D1';
  for (const [page, other] of [
    ['/login', '/signup'],
    ['/signup', '/login'],
  ] as const) {
    const { text } = await ask(`${page}${returning}`);
    t.is(text.split(`<a href="${other}${returning}">`).length - 1, 2, page);
    const signedIn = await ask(`${page}${returning}`, cookie('acme-cookie'));
    t.true(signedIn.text.includes(`action="/logout${returning}"`), page);
    t.true((await ask(page, cookie('acme-cookie'))).text.includes('action="/logout"'), page);
  }
  for (const [query, location] of [
    [returning, `/login${returning}`],
    ['?next=//evil.test', '/login'],
    ['', '/login'],
  ]) {
    const left = await ask(`/logout${query}`, form({}));
    t.deepEqual([left.status, left.headers.get('location')], [303, location]);
  }
  const linked = await ask('/signup', { headers: { Referer: `${url}/docs` } });
  t.true(linked.text.includes('name="next" value="/docs"'));
});

test('a sign-up leads back, also after a form that was refused, and never to another server', async (t) => {
  const { ask } = await serveWeb(t);
  const refused = await ask('/signup', form({ ...ann, password: 'short', next: '/x?y=1' }));
  t.is(refused.status, 400);
  t.true(refused.text.includes('name="next" value="/x?y=1"'));
  for (const [next, location] of [
    ['/x?y=1', '/x?y=1'],
    ['//evil.test', '/'],
    ['/login?next=/x', '/'],
  ] as const) {
    const answer = await ask('/signup', form({ ...ann, email: `${next.length}@new.test`, next }));
    t.deepEqual([answer.status, answer.headers.get('location')], [303, location]);
  }
});

test('no login leads to another server, and each to any page of its own', async (t) => {
  const { ask } = await serveWeb(t);
  for (const next of hostile) {
    const posted = await ask('/login', form({ ...login, next }));
    t.deepEqual([posted.status, posted.headers.get('location')], [303, '/'], JSON.stringify(next));
    const { text } = await ask(`/login?next=${encodeURIComponent(next)}`);
    t.false(text.includes('name="next"'), JSON.stringify(next));
  }
  for (const next of ['/docs', '/settings/api-tokens?a=b#c', '/%2F%2Fevil.test', '/loginx'])
    t.is((await ask('/login', form({ ...login, next }))).headers.get('location'), next);
  const twice = await ask('/login?next=/docs&next=//evil.test');
  t.false(twice.text.includes('name="next"'));
  const asJson = await ask('/login', json({ ...login, next: '//evil.test' }));
  t.deepEqual([asJson.status, asJson.headers.get('location')], [200, null]);
});
