import test from 'ava';
import { browser, foreignScript, serveWorld } from './_explore.js';

const paths = [
  '/explore',
  '/explore/repos',
  '/explore/findings?page=2',
  '/explore/findings/d1',
  '/explore/prs',
];

test('visitors without a valid session are sent to the login page, which leads back', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    for (const session of ['unknown', 'acme-expired']) {
      const answer = await ask(path, browser(session));
      t.is(answer.status, 303, path);
      t.is(answer.headers.get('location'), `/login?next=${encodeURIComponent(path)}`);
    }
  }
});

test('a client that prefers JSON gets a 401 in place of the login page', async (t) => {
  const { ask } = await serveWorld(t);
  const answer = await ask('/explore', { headers: { Accept: 'application/json' } });
  t.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }]);
  t.truthy(answer.headers.get('www-authenticate'));
});

test('a bearer token opens no page', async (t) => {
  const { ask } = await serveWorld(t);
  const answer = await ask('/explore', {
    redirect: 'manual',
    headers: { Authorization: 'Bearer acme-token' },
  });
  t.is(answer.status, 303);
});

test('no page contains the session value', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    const { status, text } = await ask(path, browser('acme-cookie'));
    t.is(status, 200, path);
    t.notRegex(text, /acme-cookie|acme-token/);
  }
});

test('a page shows nothing of other tenants, even where ids are the same', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    t.notRegex((await ask(path, browser('acme-cookie'))).text, /others-|secret-repo/, path);
  }
  const foreign = await ask('/explore/findings/others-draft', browser('acme-cookie'));
  t.is(foreign.status, 404);
  t.regex(foreign.text, /finding not found/);
  t.regex((await ask('/explore/findings/d1', browser('other-cookie'))).text, /others-package/);
});

test('pages may run no script but that of the explorer, are not cached, and answer GET and HEAD only', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    const { headers, text } = await ask(path, browser('acme-cookie'));
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none';style-src 'self';.*;script-src 'self';connect-src 'self'$/,
    );
    t.is(headers.get('cache-control'), 'no-store');
    t.notRegex(text, foreignScript);
    t.notRegex(text, / style=| on[a-z]+="/);
    t.is((await ask(path, { ...browser('acme-cookie'), method: 'HEAD' })).status, 200);
    const posted = await ask(path, { ...browser('acme-cookie'), method: 'POST' });
    t.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  }
  t.regex((await ask('/assets/explore.css')).headers.get('content-type') ?? '', /^text\/css/);
});

test('without the explorer, its paths are unknown and nothing leads there', async (t) => {
  const { ask } = await serveWorld(t, { explorer: false });
  for (const path of [...paths, '/explore/changes', '/assets/explore.css', '/assets/explore.js']) {
    t.is((await ask(path, browser('acme-cookie'))).status, 404, path);
  }
  for (const path of ['/', '/settings/api-tokens', '/docs', '/login']) {
    t.notRegex((await ask(path, browser('acme-cookie'))).text, /\/explore/, path);
  }
});

test('the header says who is signed in and leads to the explorer, the reference and the tokens', async (t) => {
  const { ask } = await serveWorld(t);
  const { text } = await ask('/', browser('acme-cookie'));
  const header = text.slice(text.indexOf('<header>'), text.indexOf('</header>'));
  t.regex(header, /href="\/explore"[\s\S]*href="\/docs"[\s\S]*href="\/settings\/api-tokens"/);
  t.regex(header, /<bdi>acme<\/bdi>/);
  t.regex((await ask('/explore', browser('acme-cookie'))).text, /href="\/explore" aria-current="page"/);
  const signedOut = (await ask('/')).text;
  t.notRegex(signedOut.slice(0, signedOut.indexOf('</header>')), /Signed in|Log out/);
});

test('the access log names the view and the tenant, not what was filled in', async (t) => {
  const { ask, accessed, untilAccessed } = await serveWorld(t);
  await ask('/explore/findings/d1?secret=x', browser('acme-cookie'));
  await untilAccessed(1);
  t.like(accessed[0], {
    operation: 'GET /explore/findings/:id',
    tenantId: 'acme',
    url: '/explore/findings/d1?secret=…',
  });
});
