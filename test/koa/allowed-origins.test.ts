import test from 'ava';
import { isOriginPattern } from '../../src/koa/cors.js';
import { cookie, type TestServer } from '../_server.js';
import { serveWeb } from '../pages/_browserless.js';

/** The origin that may read a response to it. */
const allowedOrigin = async (ask: TestServer['ask'], Origin: string) =>
  (await ask('/api/v1/repos', { headers: { Origin } })).headers.get('access-control-allow-origin');

test('only pages on this machine and of listed origins may call with credentials (CORS)', async (t) => {
  const { ask } = await serveWeb(t, { corsOrigins: ['https://app.test'] });
  const allowed = async (Origin: string, path = '/api/v1/repos') => {
    const { headers } = await ask(path, { headers: { Origin, Cookie: 'session=acme-cookie' } });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };
  for (const origin of (
    'http://localhost:5173 https://localhost http://127.0.0.1:3000 http://[::1]:8080 ' +
    'http://app.localhost:5173 http://10.0.2.2:5173 http://10.0.3.2 https://app.test'
  ).split(' ')) {
    t.deepEqual(await allowed(origin), [origin, 'true'], origin);
    t.deepEqual(await allowed(origin, '/api/v1/nope'), [origin, 'true'], origin);
  }
  for (const origin of (
    'https://evil.test null http://localhost.evil.test http://evil-localhost ' +
    'http://10.0.2.2.evil.test http://10.0.2.3 capacitor://localhost http://127.0.0.1.evil.test ' +
    'https://app.test:444 http://app.test http://localhost:5173/path'
  ).split(' ')) {
    t.deepEqual(await allowed(origin), [null, null], origin);
  }
  const { headers } = await ask('/api/v1/findings?x=1', {
    headers: { Origin: 'http://localhost:1', Cookie: 'session=acme-cookie' },
  });
  t.is(headers.get('vary'), 'Origin, Cookie, Authorization');
  t.is(
    headers.get('access-control-expose-headers'),
    'Allow,ETag,Preference-Applied,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate,X-Request-Id,X-Triage-Simulated,X-Triage-Warning',
  );
  t.is(
    (await ask('/api/v1/repos', cookie('acme-cookie'))).headers.get('vary'),
    'Origin, Cookie, Authorization',
  );
});

test('a CORS preflight allows the methods, and the headers that are asked for, to an allowed origin only', async (t) => {
  const { ask } = await serveWeb(t);
  const preflight = (Origin: string) =>
    ask('/login', {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-requested-with,sentry-trace,baggage',
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
      'content-type,x-requested-with,sentry-trace,baggage',
      '600',
    ],
  );
  const strange = await preflight('https://evil.test');
  t.is(strange.headers.get('access-control-allow-origin'), null);
  t.is(strange.headers.get('access-control-allow-methods'), null);
  t.is(strange.headers.get('access-control-allow-headers'), null);
});

test('a pattern stands for exactly one label below a domain, with the same scheme and port', async (t) => {
  const corsOrigins = ['https://*.preview.test', 'http://*.preview.test:8080'];
  const { ask } = await serveWeb(t, { corsOrigins, localhostCors: false });
  for (const origin of [
    'https://pr-1.preview.test',
    'https://a_b.preview.test',
    'http://x.preview.test:8080',
  ]) {
    t.is(await allowedOrigin(ask, origin), origin);
  }
  for (const origin of (
    'https://preview.test https://.preview.test https://a.b.preview.test https://apreview.test ' +
    'http://pr-1.preview.test https://pr-1.preview.test:8080 https://pr-1.preview.test.evil.test ' +
    'https://evil.test/.preview.test https://evil.test#.preview.test https://evil.test\\.preview.test ' +
    'https://user@.preview.test https://*.preview.test'
  ).split(' ')) {
    t.is(await allowedOrigin(ask, origin), null, origin);
  }
});

test('a pattern has one star, before a domain that is none of the top level', (t) => {
  for (const pattern of [
    'https://*.preview.test',
    'https://*.a.b.preview.test:8443',
    'http://localhost:3000',
  ]) {
    t.true(isOriginPattern(pattern), pattern);
  }
  for (const pattern of (
    '* https://* https://*. https://*.com https://*.localhost https://a.*.test https://*.*.test ' +
    'https://a*.team.test https://*.0.0.1 https://*.team.test/ https://*.team.test/path ' +
    'https://*.Team.test ftp://*.team.test null'
  ).split(' ')) {
    t.false(isOriginPattern(pattern), pattern);
  }
});
