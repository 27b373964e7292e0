import test from 'ava';
import { json, serveWeb } from '../web/_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };
const port = (url: string): string => new URL(url).port;

test('a page on localhost that calls 127.0.0.1 is told why its session is lost, and so is the log, once', async (t) => {
  const { ask, url, logged } = await serveWeb(t);
  const Origin = 'http://localhost:5173';
  const expected = `browsers do not send the session cookie of ${url} from pages of ${Origin}, which is another site to them; use the same host name for both, for example localhost`;
  const loggedIn = await ask('/login', json(login, { Origin }));
  t.is(loggedIn.status, 200);
  t.is(loggedIn.headers.get('x-triage-warning'), expected);
  for (const path of ['/api/v1/repos', '/session', '/settings/api-tokens']) {
    const refused = await ask(path, { headers: { Origin, Accept: 'application/json' } });
    t.is(refused.status, 401, path);
    t.is(refused.headers.get('x-triage-warning'), expected, path);
    t.is(refused.headers.get('access-control-allow-origin'), Origin, path);
  }
  t.deepEqual(
    logged.filter(({ event }) => event === expected).map(({ level }) => level),
    ['warn'],
  );
  const both = await ask('/api/v1/findings?x=1', { headers: { Origin } });
  t.is(both.headers.get('x-triage-warning'), `${expected}; ignored unknown query parameters: "x"`);
});

test('a page on https that calls http is told so', async (t) => {
  const { ask, url } = await serveWeb(t);
  const Origin = 'https://127.0.0.1:5173';
  const { headers } = await ask('/api/v1/repos', { headers: { Origin } });
  t.is(
    headers.get('x-triage-warning'),
    `browsers do not send the session cookie of ${url} from pages of ${Origin}, which is another site to them; use the same scheme, http or https, for both`,
  );
});

test('a listed page of another site is told what makes its session work', async (t) => {
  const given = { corsOrigins: ['https://app.test'], trustProxy: true, crossSiteCookies: true };
  const proxied = { Origin: 'https://app.test', 'X-Forwarded-Host': 'api.example.com' };
  const warningOf = async (over: object, headers: Readonly<Record<string, string>>) => {
    const { ask } = await serveWeb(t, over);
    return (await ask('/api/v1/repos', { headers })).headers.get('x-triage-warning');
  };
  const https = { ...proxied, 'X-Forwarded-Proto': 'https' };
  t.regex((await warningOf({ ...given, crossSiteCookies: false }, https)) ?? '', /--cross-site-cookies$/);
  t.is(await warningOf(given, https), null);
  t.regex((await warningOf(given, proxied)) ?? '', /--cross-site-cookies$/);
});

test('nothing is said to pages that could have a session, have one, or use a token, nor to strangers', async (t) => {
  const { ask, url, logged } = await serveWeb(t);
  const Origin = 'http://localhost:5173';
  for (const [path, headers] of [
    ['/api/v1/repos', { Origin: `http://127.0.0.1:${Number(port(url)) + 1}` }],
    ['/api/v1/repos', { Origin, Cookie: 'session=acme-cookie' }],
    ['/api/v1/prs', { Origin, Authorization: 'Bearer acme-token' }],
    ['/api/v1/repos', { Origin, 'Sec-Fetch-Site': 'same-origin' }],
    ['/api/v1/repos', { Origin: 'https://evil.test' }],
    ['/api/v1/repos', {}],
    ['/healthz', { Origin }],
    ['/openapi.json', { Origin }],
  ] as const) {
    const answer = await ask(path, { headers });
    t.is(answer.headers.get('x-triage-warning'), null, `${path} ${JSON.stringify(headers)}`);
  }
  const preflight = { Origin, 'Access-Control-Request-Method': 'GET' };
  const { headers } = await ask('/api/v1/repos', { method: 'OPTIONS', headers: preflight });
  t.is(headers.get('x-triage-warning'), null);
  t.deepEqual(logged, []);
});
