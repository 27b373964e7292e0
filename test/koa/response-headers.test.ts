import test from 'ava';
import { serve } from '../_server.js';
import { serveWeb } from '../pages/_browserless.js';
import { acme } from './_world.js';

const signedIn = { Cookie: 'session=acme-cookie' };

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/'],
  ['/', { headers: signedIn }],
  ['/login'],
  ['/signup'],
  ['/settings/api-tokens', { headers: signedIn, redirect: 'manual' }],
  ['/settings/api-tokens', { redirect: 'manual' }],
  ['/docs'],
  ['/openapi.json'],
  ['/login/style.css'],
  ['/assets/explore.js'],
  ['/healthz'],
  ['/readyz'],
  ['/api/v1/repos', { headers: signedIn }],
  ['/api/v1/repos'],
  ['/api/v1/findings/nope', { headers: signedIn }],
  ['/api/v1/repos', { method: 'DELETE' }],
  ['/nope'],
  ['/logout', { method: 'POST', redirect: 'manual' }],
  ['/api/v1/repos', { method: 'OPTIONS' }],
  ['/login', { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } }],
  ['/login', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x' }],
];

test('every response says what it is, and keeps other sites, frames and caches out', async (t) => {
  const { ask } = await serveWeb(t);
  for (const [path, init] of requests) {
    const { headers, text } = await ask(path, {
      ...init,
      headers: { ...init?.headers, 'X-Request-Id': 'mine-1' },
    });
    const what = `${init?.method ?? 'GET'} ${path}`;
    const has = (name: string): string => headers.get(name) ?? '';
    if (text !== '') t.regex(has('content-type'), /^(?:text|application)\/[a-z]+; charset=utf-8$/, what);
    t.is(has('x-request-id'), 'mine-1', what);
    t.is(has('x-content-type-options'), 'nosniff', what);
    const directives = has('content-security-policy').split(';');
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'"]) {
      t.true(directives.includes(directive), `${what}: ${directive}`);
    }
    t.is(has('cross-origin-resource-policy'), 'same-origin', what);
    if (!/^GET \/api\//.test(what)) {
      t.true(directives.includes("base-uri 'none'"), what);
      t.is(has('cross-origin-opener-policy'), 'same-origin', what);
      t.is(has('referrer-policy'), 'same-origin', what);
    }
    t.regex(has('cache-control'), cacheControlOf(path), what);
    for (const name of ['access-control-allow-origin', 'server', 'x-powered-by']) t.is(has(name), '', what);
  }
});

/** Only what is the same for everyone may be kept and shown again without asking. */
const cacheControlOf = (path: string): RegExp => {
  if (/\.(?:css|json)$/.test(path)) return /^public, max-age=300$/;
  if (path.endsWith('.js')) return /^public, no-cache$/;
  return path.startsWith('/api/') ? /^private, no-cache$/ : /^no-store$/;
};

test('OPTIONS and a 405 response list the allowed methods', async (t) => {
  const { ask } = await serve(t, [acme]);
  const options = await ask('/api/v1/findings/d1', { method: 'OPTIONS' });
  t.deepEqual([options.status, options.text, options.headers.get('allow')], [204, '', 'GET, HEAD, OPTIONS']);
  t.is((await ask('/api/v1/repos', { method: 'DELETE' })).headers.get('allow'), 'GET, HEAD, OPTIONS');
  t.is((await ask('/api/v1/nope', { method: 'OPTIONS' })).status, 404);
});

test('a 401 response names the accepted kinds of credentials in WWW-Authenticate', async (t) => {
  const { ask } = await serve(t, [acme]);
  const cookieOnly = 'Cookie realm="triage-api", cookie-name="session"';
  t.is((await ask('/api/v1/repos')).headers.get('www-authenticate'), cookieOnly);
  t.is(
    (await ask('/api/v1/prs')).headers.get('www-authenticate'),
    `${cookieOnly}, Bearer realm="triage-api"`,
  );
});
