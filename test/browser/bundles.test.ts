import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import test from 'ava';
import { finding, many, tenant } from '../../src/data/builders/index.js';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { startTriageApi } from '../../src/testing/server.js';
import { bundleForBrowsers } from '../_bundle.js';
import { now, origin, shippedFixture } from '../testing/_pair.js';
import { browse } from './_browser.js';
import { pageOnAPort } from './_page-on-a-port.js';

/** A front end that decodes answers, and calls the API with the client; the browser keeps the cookie. */
const frontEnd = `
  import { createClient } from 'triage-api/client';
  import { decode, FindingPage, formatProblem, prStatusOf } from 'triage-api/contract';
  export const decoded = async (path) => {
    const decoded = decode(FindingPage, await (await fetch(path)).json());
    return decoded._tag === 'Right' ? decoded.right.items.length : decoded.left.map(formatProblem);
  };
  export const closed = prStatusOf('cancelled');
  const failure = ({ name, kind, status, body, operation }) => [name, kind, status, body.error, operation];
  const client = createClient({ baseUrl: '' });
  export const read = (baseUrl) =>
    createClient({ baseUrl }).listFindings({ limit: 2 }).then(({ items }) => items.length).catch(failure);
  export const missing = () => client.getFinding('nope').catch(failure);
  export const logIn = () => client.login({ email: 'dana@acme.test', password: 'acme-password' }).then(({ id }) => id);
  export const logOut = () => client.logout().then(() => client.session());
`;

test('the client and the codecs of the contract work in a browser, which keeps the session cookie', async (t) => {
  const { url, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
  t.teardown(stop);
  const { script } = await bundleForBrowsers(frontEnd);
  const page = await (await browse(t, { bypassCSP: true })).newPage();
  await page.goto(url);
  await page.addScriptTag({ content: script });
  const name = 'TriageClientError';
  const unauthorized = [name, 'unauthorized', 401, 'Unauthorized', 'listFindings'];
  t.deepEqual(await page.evaluate('bundled.read("")'), unauthorized);
  t.is(await page.evaluate('bundled.logIn()'), 'usr_acme');
  for (const baseUrl of ['', '/', url])
    t.is(await page.evaluate(`bundled.read(${JSON.stringify(baseUrl)})`), 2, baseUrl);
  const notFound = [name, 'not-found', 404, 'finding not found', 'getFinding'];
  t.deepEqual(await page.evaluate('bundled.missing()'), notFound);
  t.is(await page.evaluate(`bundled.decoded('/api/v1/findings?limit=2')`), 2);
  t.true(await page.evaluate(`bundled.decoded('/api/v1/repos').then((problems) => problems.length > 0)`));
  t.is(await page.evaluate('bundled.closed'), 'closed');
  t.is(await page.evaluate('bundled.logOut()'), null);
  t.deepEqual(await page.evaluate('bundled.read("")'), unauthorized);
});

test('a browser builds the same tenant as Node, and says that it has no files', async (t) => {
  const { script } = await bundleForBrowsers(`export * from 'triage-api/fixtures';`);
  const page = await (await browse(t)).newPage();
  await page.addScriptTag({ content: script });
  const [data, refusal] = Object(
    await page.evaluate(`(async () => {
      const { finding, many, tenant, writeFixture } = bundled;
      const data = tenant({ seed: 7, findings: many(5, () => finding({ repo: 'acme/web' })) });
      return [data, await writeFixture('mine.json', data).catch(({ problems }) => problems)];
    })()`),
  );
  t.deepEqual(data, tenant({ seed: 7, findings: many(5, () => finding({ repo: 'acme/web' })) }));
  t.deepEqual(refusal, ['writeFixture: this environment has no files; call it in Node']);
});

/** What is asked, in the browser and in Node: paths, and headers. */
const requests: readonly (readonly [path: string, init: RequestInit])[] = [
  ['/api/v1/repos', {}],
  ['/api/v1/repos', { method: 'HEAD' }],
  ['/api/v1/findings?limit=3&severity=high', {}],
  ['/api/v1/findings?limit=3&severity=urgent&x=%F0%9F%98%80', {}],
  ['/api/v1/findings/none', {}],
  ['/api/v1/prs', { headers: { Authorization: 'Bearer acme-token' } }],
  ['/api/v1/prs', { headers: { Authorization: 'Bearer wrong' } }],
  ['/api/v1/prs', { method: 'POST' }],
  ['/api/v1/prs', { method: 'OPTIONS' }],
  ['/api/v1/nope', {}],
  ['/api/v1/repos', { headers: { Prefer: 'code=503' } }],
  ['/api/v1/repos', { headers: { Prefer: 'truncate' } }],
  ['/api/v1/repos', { headers: { Prefer: 'malformed' } }],
  ['/api/v1/repos', { headers: { 'If-None-Match': '*' } }],
  // Pages and what they load are in the bundle, too.
  ...['/login', '/signup', '/docs', '/openapi.json', '/settings/api-tokens', '/__admin/faults', '/nope'].map(
    (path) => [path, {}] as const,
  ),
  ['/docs/swagger-ui.css', {}],
];

/** Asks everything, and changes something in between. Runs in the browser as well, as text. */
const journey = `async (handler, requests, origin) => {
  const found = [];
  const ask = async () => {
    for (const [index, [path, init]] of requests.entries()) {
      const headers = { ...init.headers, 'X-Request-Id': 'request-' + index };
      const response = await handler(new Request(origin + path, { ...init, headers }));
      found.push([response.status, [...response.headers], await response.text()]);
    }
  };
  await ask();
  await handler.clock.advance('3h');
  await handler.patch('repos', 'repo_storefront', { owner: 'schön' });
  await ask();
  handler.faults.add({ code: 500, probability: 0.5 });
  await ask();
  const journal = handler.requests().map((entry) => ({ ...entry, milliseconds: 0 }));
  return { found, journal, tenants: handler.tenants };
}`;

test('a browser gives the same answers as Node', async (t) => {
  const { script } = await bundleForBrowsers(`
    import { fetchHandler } from 'triage-api/fetch-handler';
    import acme from 'triage-api/fixtures/acme.json';
    export const run = (options, requests, origin) => (${journey})(fetchHandler(acme, options), requests, origin);
    export const made = () => fetchHandler({ findings: [{ package: 'lodash' }] }).session.length > 0;
  `);
  const options = { now, session: true, seed: 3 };
  const page = await (await browse(t)).newPage();
  await page.goto(`http://127.0.0.1:${await pageOnAPort(t)}/`);
  await page.addScriptTag({ content: script });
  const run = new Function('handler', 'requests', 'origin', `return (${journey})(handler, requests, origin)`);
  const expected = await run(fetchHandler(shippedFixture('acme'), options), requests, origin);
  const found = await page.evaluate(
    `bundled.run(${JSON.stringify(options)}, ${JSON.stringify(requests)}, ${JSON.stringify(origin)})`,
  );
  t.deepEqual(found, JSON.parse(JSON.stringify(expected)));
  t.is(await page.evaluate('bundled.made()'), true);
});

test('Mock Service Worker answers the requests of a page', async (t) => {
  const { script } = await bundleForBrowsers(`
    import { setupWorker } from 'msw/browser';
    import { triageHandlers } from 'triage-api/msw';
    import acme from 'triage-api/fixtures/acme.json';
    export const api = triageHandlers(acme, { now: ${JSON.stringify(now)}, session: true });
    export const start = () => setupWorker(...api).start({ quiet: true, onUnhandledRequest: 'bypass' });
    export const ask = async (path, init) => {
      try {
        const response = await fetch(path, init);
        return [response.status, response.headers.get('ETag'), await response.text()];
      } catch (error) {
        return error.name;
      }
    };
  `);
  const worker = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8');
  const page = await (await browse(t)).newPage();
  const port = await pageOnAPort(t, { '/mockServiceWorker.js': worker });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.addScriptTag({ content: script });
  await page.evaluate('bundled.start().then(() => {})');
  const ask = (path: string, init: RequestInit = {}): Promise<unknown> =>
    page.evaluate(`bundled.ask(${JSON.stringify(path)}, ${JSON.stringify(init)})`);

  const handler = fetchHandler(shippedFixture('acme'), { now, session: true });
  const expected = async (path: string): Promise<unknown> => {
    const response = await handler(new Request(`${origin}${path}`));
    return [response.status, response.headers.get('ETag'), await response.text()];
  };
  for (const path of [
    '/api/v1/repos',
    '/api/v1/findings?limit=2',
    '/api/v1/findings?limit=x',
    '/api/v1/nope',
  ])
    t.deepEqual(await ask(path), await expected(path), path);
  t.deepEqual(await ask('https://elsewhere.test/api/v1/prs'), await expected('/api/v1/prs'));
  t.like(await ask('/api/v1/repos', { credentials: 'omit' }), { 0: 401 });
  t.like(await ask('/api/v1/repos', { headers: { Authorization: 'Bearer x' } }), { 0: 401 });
  t.is(await ask('/api/v1/repos', { headers: { Prefer: 'drop' } }), 'TypeError');
  t.like(await ask('/'), { 0: 200, 2: '<!doctype html><title>another page</title>' });
  await page.evaluate(`bundled.api.faults.add({ operation: 'listPrs', code: 503, times: 1 })`);
  t.like(await ask('/api/v1/prs'), { 0: 503 });
  await page.evaluate(`bundled.api.patch('repos', 'repo_storefront', { owner: 'renamed' })`);
  t.regex(JSON.stringify(await ask('/api/v1/repos')), /renamed/);
  await page.evaluate(`bundled.api.clock.advance('4000d')`);
  t.like(await ask('/api/v1/repos'), { 0: 401 });
  const statuses = await page.evaluate('bundled.api.requests().map(({ status }) => status)');
  t.deepEqual(statuses, [200, 200, 400, 404, 200, 401, 401, 499, 503, 200, 401]);
  await page.evaluate(`document.cookie = 'session=wrong'; bundled.api.clock.set(${JSON.stringify(now)})`);
  t.like(await ask('/api/v1/repos'), { 0: 401 });
  await page.evaluate(`document.cookie = 'session=acme-session'`);
  t.like(await ask('/api/v1/repos'), { 0: 200 });
});

test('with Mock Service Worker, a reload keeps who is logged in, and handlers that are made anew do not', async (t) => {
  const { script } = await bundleForBrowsers(`
    import { setupWorker } from 'msw/browser';
    import { triageHandlers } from 'triage-api/msw';
    import acme from 'triage-api/fixtures/acme.json';
    const worker = setupWorker();
    const options = { quiet: true, onUnhandledRequest: 'bypass' };
    export const start = () => worker.start(options).then(() => renew());
    export const renew = () => worker.resetHandlers(...triageHandlers(acme));
    export const post = (path, body) => fetch(path, {
      method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: JSON.stringify(body),
    }).then(({ status }) => status);
    export const session = () => fetch('/session').then(({ status }) => status);
  `);
  const worker = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8');
  const context = await browse(t);
  const page = await context.newPage();
  const port = await pageOnAPort(t, { '/mockServiceWorker.js': worker });
  await page.goto(`http://127.0.0.1:${port}/`);
  const loaded = async (): Promise<unknown> => {
    await page.addScriptTag({ content: script });
    await page.evaluate('bundled.start().then(() => {})');
    return page.evaluate('bundled.session()');
  };
  t.is(await loaded(), 401);
  const login = { email: 'dana@acme.test', password: 'acme-password' };
  t.is(await page.evaluate(`bundled.post('/login', ${JSON.stringify(login)})`), 200);
  t.is(await page.evaluate('bundled.session()'), 200);
  await page.reload();
  t.is(await loaded(), 200);
  await page.evaluate('bundled.renew()');
  t.is(await page.evaluate('bundled.session()'), 401);
  await page.reload();
  t.is(await loaded(), 200);
  t.is(await page.evaluate(`bundled.post('/logout')`), 204);
  await page.reload();
  t.is(await loaded(), 401);
});
