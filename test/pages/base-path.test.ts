import test, { type ExecutionContext } from 'ava';
import { operations } from '../../src/contract/operations.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { BasePath } from '../../src/start/base-path.js';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { raw } from '../_raw.js';
import { cookie, type TestServer } from '../_server.js';
import { listen } from '../cli/_cli.js';
import { now, origin, shippedFixture } from '../testing/_pair.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const basePath = '/a/b';
const login = { email: 'acme@test.test', password: 'secret' };
const html = { Accept: 'text/html' };

/** The addresses in the markup of a page that do not lead to another site. */
const addressesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/<[^>]*? (?:href|src|action)="([^"]*)"/g), ([, address = '']) => address)
    .map((address) => address.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))))
    .filter((address) => !/^(?:https:\/\/|data:)/.test(address));

/** Whether an address is below the base path, which it has once, or begins with the address of its page. */
const isBelow = (address: string): boolean =>
  /^(?:[?#]|$)/.test(address) || (address.startsWith('/a/b/') && !address.includes('/a/b/a/b'));

/** A path with its ids left out, and of the query only the names: pages that differ in these are alike. */
const kindOf = (address: string): string => {
  const { pathname, searchParams } = new URL(address, 'http://x');
  const path = pathname.replace(/(?<=\/(?:findings|api-tokens)\/)[^/]+/, ':id');
  return `${path}?${Array.from(searchParams.keys()).sort().join('&')}`;
};

/** Sends a request for a path. */
type Send = (path: string, init: RequestInit) => Promise<Response>;

/** Follows all links of pages from the start page on, one of each kind: the paths that it has met. */
const crawl = async (t: ExecutionContext, send: Send, headers: Readonly<Record<string, string>>) => {
  const found = new Map([[kindOf('/a/b/'), '/a/b/']]);
  for (const address of found.values()) {
    const response = await send(address, { headers: { ...html, ...headers }, redirect: 'manual' });
    const text = await response.text();
    const location = response.headers.get('location');
    t.true(response.status < 400 || /\/(?:logout|demo|password|delete|revoke)$/.test(address), address);
    const isPage = /html/.test(response.headers.get('content-type') ?? '');
    const addresses = [...(isPage ? addressesIn(text) : []), ...(location === null ? [] : [location])];
    for (const each of addresses) {
      t.true(isBelow(each), `${each} on ${address}`);
      const next = new URL(each, `${origin}${address}`);
      if (!found.has(kindOf(next.href))) found.set(kindOf(next.href), `${next.pathname}${next.search}`);
    }
  }
  return Array.from(found.values(), (address) => new URL(address, origin).pathname);
};

/** What is below a base path: a server, and a handler of `fetch`. */
const doors: Readonly<Record<string, (t: ExecutionContext) => Promise<Send>>> = {
  'from a server': async (t) => {
    const { url } = await listen(t, ['--base-path', basePath, '--signup-persona', 'acme,empty']);
    t.regex(url, /^http:\/\/127\.0\.0\.1:\d+\/a\/b$/);
    return (path, init) => fetch(`${new URL(url).origin}${path}`, init);
  },
  'behind fetch': async () => {
    const handle = fetchHandler(shippedFixture('acme'), { now, basePath, controls: true });
    return (path, init) => handle(new Request(`${origin}${path}`, init));
  },
};

for (const [door, open] of Object.entries(doors)) {
  test(`every link, form, style sheet and script of every page is below the base path, ${door}`, async (t) => {
    const send = await open(t);
    const paths = new Set([
      ...(await crawl(t, send, {})),
      ...(await crawl(t, send, { Cookie: 'session=acme-session' })),
    ]);
    const pages = [
      '/',
      '/docs',
      '/login',
      '/signup',
      '/settings/api-tokens',
      '/settings/account',
      '/explore',
    ];
    const views = ['/repos', '/findings', '/prs', '/controls'].map((view) => `/explore${view}`);
    const assets = ['/login/style.css', '/docs/start.js', '/assets/explore.js', '/openapi.json'];
    for (const path of [...pages, ...views, ...assets]) t.true(paths.has(`${basePath}${path}`), path);
  });
}

test('requests with the base path are answered like those from which a proxy has removed it', async (t) => {
  const simulation = createSimulation();
  const { url } = await serveWeb(t, { basePath, simulation });
  const { origin } = new URL(url);
  const answers = async (path: string) => {
    const { status, headers } = await fetch(`${origin}${path}`, {
      ...cookie('acme-cookie'),
      redirect: 'manual',
    });
    return [status, headers.get('location'), headers.get('etag'), headers.get('allow')];
  };
  const pages = (simulation.names.pages() ?? []).filter((page) => page.startsWith('GET '));
  t.true(pages.length > 20);
  const ids = ['acme-d1', 'x'];
  const paths = [
    ...pages.map((page) => page.slice('GET '.length).replace(/:\w+/, ids[0] ?? '')),
    ...Object.values(operations).map(({ path }) => path.replace(/\{\w+\}/, ids[0] ?? '')),
    ...['/healthz', '/readyz', '/__admin', '/__admin/faults', '/?x=1', '/no-such-page', '/docs/'],
  ];
  for (const path of paths) t.deepEqual(await answers(`${basePath}${path}`), await answers(path), path);
  t.deepEqual(await answers(basePath), await answers('/'));
  t.deepEqual(await answers(`${basePath}?x=1`), await answers('/?x=1'));
  for (const path of [
    '/a/b/a/b/',
    '/a/bc',
    '/a',
    '/a/B/',
    '/%61/b/',
    '/a%2Fb/',
    '/a/b%2Flogin',
    '/x/a/b/login',
  ])
    t.is((await answers(path))[0], 404, path);
  for (const [target, status] of [
    ['/a/b//login', '404'],
    ['/a/b//evil.test/', '404'],
    ['//a/b/login', '400'],
    ['/a/b\\login', '400'],
  ] as const)
    t.is((await raw(origin, `GET ${target} HTTP/1.0\r\n\r\n`)).slice(9, 12), status, target);
});

/** What posted forms are answered: the status, where they lead, and the path of the cookie. */
const posts = ({ url }: TestServer) => {
  const { origin } = new URL(url);
  return async (path: string, fields: Readonly<Record<string, string>>, session = '') => {
    const response = await fetch(`${origin}${path}`, form(fields, { Cookie: `session=${session}`, ...html }));
    const set = /^(\w+)=.*?; path=([^;]*)/.exec(response.headers.get('set-cookie') ?? '');
    return { response, came: [response.status, response.headers.get('location'), set?.[1], set?.[2]] };
  };
};

test('forms lead to pages below the base path, and so do cookies, with the prefix or without', async (t) => {
  const server = await serveWeb(t, { basePath });
  const post = posts(server);
  for (const [index, prefix] of ['', basePath].entries()) {
    const signUp = { ...ann, email: `ann${index}@new.test` };
    const { response, came } = await post(`${prefix}/signup`, signUp);
    t.deepEqual(came, [303, '/a/b/', 'session', '/a/b']);
    const session = sessionOf(response);
    const newPassword = 'plum violin rocket';
    const passwords = { currentPassword: ann.password, newPassword };
    const changed = await post(`${prefix}/settings/account/password`, passwords, session);
    t.deepEqual(changed.came, [303, '/a/b/settings/account?password=changed', 'session', '/a/b']);
    const again = await post(`${prefix}/login`, { email: signUp.email, password: newPassword });
    const out = await post(`${prefix}/logout?next=/app`, {}, sessionOf(again.response));
    t.deepEqual(out.came, [303, '/a/b/login?next=%2Fapp', 'session', '/a/b']);
  }
  const asked = await fetch(`${new URL(server.url).origin}/explore/prs?page=2`, {
    headers: html,
    redirect: 'manual',
  });
  t.is(asked.headers.get('location'), '/a/b/login?next=%2Fa%2Fb%2Fexplore%2Fprs%3Fpage%3D2');
});

test('a login leads back to any page of its host, and neither to another one nor to itself', async (t) => {
  const post = posts(await serveWeb(t, { basePath }));
  for (const next of ['/a/b/explore', '/app/page?x=1', '/'])
    t.deepEqual((await post('/login', { ...login, next })).came.slice(0, 2), [303, next]);
  for (const next of [
    ...['//evil.test', '/\\evil.test', 'https://evil.test', '/a/b/../../..//evil.test', '/%2e%2e//evil.test'],
    ...['/a/b/login', '/a/b/login?next=/a/b/login', '/a/b/signup', '/a/b/logout', '/login', '', 'evil'],
  ])
    t.deepEqual((await post('/login', { ...login, next })).came.slice(0, 2), [303, '/a/b/'], next);
});

test('a page of an error leads back to pages of the server alone, with the base path once', async (t) => {
  const { url } = await serveWeb(t, { basePath });
  const { origin } = new URL(url);
  const back = async (from: string) => {
    const headers = { ...html, Referer: `${origin}${from}` };
    const page = await (await fetch(`${url}/no-such-page`, { headers })).text();
    t.true(page.includes('There is no page at <code>/a/b/no-such-page</code>.'));
    return /<a class="button" href="([^"]*)">Back/.exec(page)?.[1] ?? null;
  };
  t.is(await back('/a/b/explore/prs?page=2'), '/a/b/explore/prs?page=2');
  t.is(await back('/a/b'), '/a/b/');
  for (const from of ['/app/page', '/', '/a/b/no-such-page', '/a/b//evil.test', '/a/bc'])
    t.is(await back(from), null, from);
});

test('rules, the journal and logs name paths below the base path', async (t) => {
  const simulation = createSimulation();
  const server = await serveWeb(t, { basePath, simulation });
  const { origin } = new URL(server.url);
  simulation.faults.add({ operation: 'GET /docs', code: 503 });
  for (const prefix of ['', basePath]) {
    t.is((await fetch(`${origin}${prefix}/docs`, { headers: html })).status, 503);
    t.is((await fetch(`${origin}${prefix}/api/v1/repos?x=1`, cookie('acme-cookie'))).status, 200);
  }
  const targets = simulation.journal.entries({}).map(({ url, operation }) => [url, operation]);
  const both = [
    ['/docs', 'GET /docs'],
    ['/api/v1/repos?x=…', 'listConnectedRepos'],
  ];
  t.deepEqual(targets, [...both, ...both]);
  await server.untilAccessed(4);
  t.deepEqual(
    server.accessed.map(({ url }) => url),
    ['/docs', '/api/v1/repos?x=…', '/docs', '/api/v1/repos?x=…'],
  );
});

test('hosts, origins and the controls are guarded below the base path as without it', async (t) => {
  const token = 'a-token-of-sixteen';
  const { url } = await listen(t, ['--base-path', basePath, '--admin-token', token]);
  const status = async (path: string, ...headers: readonly string[]) => {
    const lines = [`GET /a/b${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''];
    return Number((await raw(new URL(url).origin, lines.join('\r\n'))).slice(9, 12));
  };
  t.is(await status('/healthz', 'Host: 10.0.0.7'), 200);
  t.is(await status('/login', 'Host: evil.test'), 421);
  t.is(await status('/__admin', 'Host: localhost'), 200);
  for (const path of ['/__admin', '/explore/controls']) {
    const proxied = [`Host: localhost`, 'X-Forwarded-For: 192.0.2.1'];
    t.is(await status(path, ...proxied), 404, path);
    t.is(await status(path, ...proxied, `Authorization: Bearer ${token}`), 200, path);
    t.is(await status(path, 'Host: localhost', 'Origin: http://localhost:5173'), 404, path);
  }
  const Origin = 'http://localhost:5173';
  const answer = await fetch(`${url}/login`, json({ email: 'dana@acme.test', password: 'x' }, { Origin }));
  t.is(answer.headers.get('access-control-allow-origin'), Origin);
});

test('documents say that the server is below the base path', async (t) => {
  const { url } = await listen(t, ['--base-path', basePath]);
  const read = async (path: string) => Object(await (await fetch(`${url}${path}`)).json());
  t.is((await read('/openapi.json')).servers[0].url, '/a/b');
  t.is((await read('/__admin/openapi.json')).servers[0].url, '/a/b/__admin');
  for (const { path } of await read('/__admin')) t.true(path.startsWith('/a/b/__admin/'), path);
});

test('what a path of the service begins with is no base path', async (t) => {
  const simulation = createSimulation();
  await serveWeb(t, { simulation });
  const pages = (simulation.names.pages() ?? []).map((page) => page.replace(/^\w+ /, ''));
  const paths = [...pages, ...Object.values(operations).map(({ path }) => path), '/__admin/faults'];
  t.true(paths.length > 20);
  for (const path of paths.filter((each) => each !== '/')) {
    const parts = path.split('/');
    for (const length of parts.keys())
      if (length > 0) t.false(BasePath.is(parts.slice(0, length + 1).join('/')), path);
  }
  for (const path of ['', '/mock', '/a/b', '/docs-2', '/api/mock', '/a.b/~c_d-e', '/...'])
    t.true(BasePath.is(path), path);
});
