import test, { type ExecutionContext } from 'ava';
import { setupServer } from 'msw/node';
import { createClient } from '../../src/client/index.js';
import { TriageApiError, type TriageHandlersOptions, triageHandlers } from '../../src/testing/msw.js';
import { startTriageApi } from '../../src/testing/server.js';
import { type Answers, now, shippedFixture } from './_pair.js';

const acme = shippedFixture('acme');
const origin = 'https://api.example.com';

/** Intercepts `fetch` of this process until the test is over, so the tests run one after the other. */
const intercepted = (t: ExecutionContext, options: TriageHandlersOptions = {}) => {
  const handlers = triageHandlers(acme, { now, session: true, ...options });
  const server = setupServer(...handlers);
  server.listen({ onUnhandledRequest: 'bypass' });
  t.teardown(() => server.close());
  return handlers;
};

const at: Answers = (path, init) => fetch(`${origin}${path}`, init);

test.serial('a request that is left hanging ends when its page gives up', async (t) => {
  intercepted(t);
  const controller = new AbortController();
  const hanging = at('/api/v1/repos', { headers: { Prefer: 'hang' }, signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  // It is no native error, which `throwsAsync` expects.
  t.is(Object(await hanging.catch((reason: unknown) => reason)).name, 'AbortError');
});

test.serial('the client logs in to a demo account without pages, and again after a logout', async (t) => {
  intercepted(t, { session: false });
  const client = createClient({ baseUrl: origin });
  for (const account of ['usr_acme', 'dana@acme.test']) {
    t.is((await client.demoLogin({ account })).id, 'usr_acme');
    t.is((await client.listConnectedRepos()).length, 9);
    await client.logout();
    t.is(await client.session(), null);
  }
  await t.throwsAsync(client.demoLogin({ account: 'nobody' }), { message: /No demo account/ });
});

test.serial('the MSW handlers leave requests of other URLs alone', async (t) => {
  const { url, session, stop } = await startTriageApi({ fixtures: acme, now });
  t.teardown(stop);
  const { requests } = intercepted(t, { baseUrl: `${origin}/mock` });
  const headers = { Cookie: `session=${session}` };
  t.is((await fetch(`${origin}/mock/api/v1/repos`)).status, 200);
  t.is((await fetch(`${url}/healthz`)).status, 200);
  t.is((await fetch(`${url}/session`, { headers })).status, 200);
  t.is((await fetch(`${url}/api/v1/repos`, { headers })).status, 200);
  t.deepEqual(
    requests().map(({ url: target }) => target),
    ['/api/v1/repos'],
  );
});

for (const [baseUrl, url, status] of [
  ['/mock', 'http://any.test/mock/api/v1/repos', 200],
  ['https://a.test', 'https://a.test/api/v1/repos', 200],
  ['https://a.test/', 'https://a.test/api/v1/repos', 200],
  ['https://a.test:8443/x/y', 'https://a.test:8443/x/y/api/v1/repos', 200],
] as const) {
  test.serial(`the API at ${baseUrl}`, async (t) => {
    intercepted(t, { baseUrl });
    t.is((await fetch(url)).status, status);
  });
}

test('problems of the options and the fixtures are reported together', (t) => {
  const wrong: TriageHandlersOptions = Object({ delay: -1, session: 7, seeds: 1 });
  const error = t.throws(() => triageHandlers(Object({ repos: 7 }), wrong), { instanceOf: TriageApiError });
  t.true((error?.problems.length ?? 0) >= 4, error?.message);
  t.throws(() => triageHandlers(acme, { baseUrl: 'ftp://x' }), {
    message: /options \/baseUrl: expected a URL/,
  });
  t.throws(() => triageHandlers(acme, Object({ basePath: '/x' })), {
    message: /basePath: unknown key; .*baseUrl/,
  });
  t.throws(() => triageHandlers(acme, { session: 'nobody' }), {
    message: /session: expected true, the name of a tenant \(usr_acme\)/,
  });
});

test.serial(
  'with pages, everything below the base URL is answered, and cookies are remembered',
  async (t) => {
    const base = `${origin}/mock`;
    const handlers = intercepted(t, { session: false, pages: true, baseUrl: base });
    const page = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${base}${path}`, { headers: { Accept: 'text/html' }, ...init });
      return [response.status, await response.text()] as const;
    };
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      page(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

    t.regex((await page('/login'))[1], /action="\/mock\/login"/);
    const [signedUp] = await post('/signup', {
      name: 'Kim',
      email: 'kim@new.test',
      password: 'a-long-password',
    });
    t.is(signedUp, 303);
    t.regex((await page('/explore'))[1], /Signed in as<\/span> <bdi>Kim/);
    t.is((await fetch(`${base}/api/v1/repos`)).status, 200);
    const [, tokens] = await post('/settings/api-tokens', { name: 'of a test' });
    const [token = ''] = /(?<=<code[^>]*>)[\w-]{40,}/.exec(tokens) ?? [];
    const headers = { Authorization: `Bearer ${token}` };
    t.is((await fetch(`${base}/api/v1/prs`, { headers, credentials: 'omit' })).status, 200, tokens);
    t.is((await page('/openapi.json'))[0], 200);
    t.is((await page('/__admin/faults'))[0], 200);
    t.is((await page('/nope'))[0], 404);
    handlers.faults.add({ operation: 'GET /explore', code: 503 });
    t.is((await page('/explore'))[0], 503);
  },
);

test('pages need a base URL: below it, every request is answered', (t) => {
  t.throws(() => triageHandlers(acme, { pages: true }), {
    message: /options pages: needs baseUrl, because everything below it is answered/,
  });
});
