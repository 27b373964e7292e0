import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { block, documentText } from '../_documented.js';
import { typeProblems } from '../_package.js';
import { journey, worksThroughout } from '../_page-journey.js';
import { startShell } from '../_shell.js';
import { browse } from '../browser/_browser.js';
import { findChromium } from '../browser/_chromium.js';
import { selfSigned } from '../security/_self-signed.js';
import { type FrontEnd, startFrontEnd } from './_front-ends.js';
import { installedFrontEnds } from './_link-front-ends.js';
import { recipeProject } from './_recipe-project.js';

const page = documentText('vite.md');
const shown = block(page, 'js vite.config.mjs');

/** A page that shows how many findings it gets, or the status of the failure. */
const app = `<!doctype html><html lang="en"><title>app</title><script type="module">
  const response = await fetch('/api/v1/findings');
  document.title = response.ok ? (await response.json()).totalItems + ' findings' : response.status;
</script></html>`;

const files = { 'index.html': app, 'vite.config.mjs': shown };

/** The documented configuration with these options, and settings of Vite. */
const configured = (options: object, settings = ''): string => {
  const config = shown.replace('triageApi()', `triageApi(${JSON.stringify(options)})`);
  return config.replace('plugins:', `${settings} plugins:`);
};

const start = async (t: ExecutionContext, name: FrontEnd, own: Readonly<Record<string, string>> = {}) =>
  startFrontEnd(t, name, { ...files, ...own }, {});

type Answer = Readonly<{ status: number; cookies: readonly string[]; text: string }>;

/** A request as a browser sends it for a page; `fetch` would not let a test choose `Host`. */
const visit = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { Accept: 'text/html', ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const { statusCode: status = 0, headers: received } = response;
      response.on('end', () => resolve({ status, cookies: received['set-cookie'] ?? [], text }));
    }).on('error', reject);
  });

const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, init)).status;

const signedIn = { headers: { Cookie: 'session=acme-session' } };

/** Resolves once `find` does not throw, or else waits until the test times out. */
const eventually = async (find: () => Promise<boolean>): Promise<void> => {
  while (!(await find())) await new Promise((resolve) => setTimeout(resolve, 50));
};

for (const name of ['vite', 'vite-6', 'vite-7'] as const) {
  test(`with the plugin, a page of ${name} has data without a login, and can log out and in`, async (t) => {
    const { url, output } = await start(t, name);
    const tab = await (await browse(t)).newPage();
    const shows = (title: string) => eventually(async () => (await tab.title()) === title);
    await tab.goto(url);
    await shows('41 findings');
    await tab.goto(`${url}/explore`);
    await tab.getByRole('button', { name: 'Log out' }).click();
    await tab.goto(url);
    await shows('401');
    await tab.goto(`${url}/login?next=/`);
    await tab.getByRole('button', { name: 'Log in as Dana' }).click();
    await shows('41 findings');
    t.deepEqual((await journey(url, url)).statuses, worksThroughout);
    t.is(await statusOf(`${url}/__admin/faults`), 200);
    t.true(output().includes(`API:     ${url}/explore`), output());
  });
}

test('the plugin leaves to the app what is not of the API, and pages that the app claims', async (t) => {
  const { url } = await start(t, 'vite', {
    'vite.config.mjs': configured({ ownPages: ['/login/', '/settings'] }),
  });
  for (const path of ['/', '/loginx', '/api/v2/x', '/login', '/login?next=/', '/settings/account'])
    t.regex((await visit(`${url}${path}`)).text, /<title>app/, path);
  t.is((await visit(`${url}/explore`, signedIn.headers)).status, 200);
  t.deepEqual((await journey(url, url)).statuses, worksThroughout);
});

test('the plugin answers whatever the server has, but for its start page and what is of operations', async (t) => {
  const { url } = await start(t, 'vite');
  const { text } = await visit(`${url}/explore/controls`, signedIn.headers);
  const pages = Array.from(text.matchAll(/<option value="GET (\/[^":]*)"/g), ([, path = '']) => path);
  t.true(pages.length > 10, pages.join());
  for (const path of [...pages, '/__admin', '/explore/states', '/openapi.json', '/assets/copy.js'])
    t.is(/<title>app/.test((await visit(`${url}${path}`, signedIn.headers)).text), path === '/', path);
});

test('the plugin begins with the session of the persona, or of nobody', async (t) => {
  const demo = await start(t, 'vite', { 'vite.config.mjs': configured({ persona: 'demo' }) });
  const [session = '', marker = ''] = (await visit(demo.url)).cookies;
  t.regex(session, /^session=demo-session; Path=\/; HttpOnly/);
  const given = marker.split(';')[0] ?? '';
  t.deepEqual((await visit(demo.url, { Cookie: given })).cookies, [], 'after a logout');
  t.deepEqual((await visit(demo.url, { Cookie: 'session=acme-session' })).cookies, [], 'after a login');
  const other = `session=acme-session; triage-api-persona=acme`;
  t.is((await visit(demo.url, { Cookie: other })).cookies.length, 2, 'of another configuration');
  const renewed = await visit(demo.url, { Cookie: `session=of-an-earlier-server; ${given}` });
  t.is(renewed.cookies.length, 2);
  const nobody = await start(t, 'vite', { 'vite.config.mjs': configured({ persona: null }) });
  t.deepEqual((await visit(nobody.url)).cookies, []);
});

test('fixtures of the plugin are read again when they change, and a broken file changes nothing', async (t) => {
  const team = { repos: [{ id: 'one', owner: 'team', repo: 'one' }] };
  const { url, project, output } = await start(t, 'vite', {
    'mocks/team.json': JSON.stringify(team),
    'vite.config.mjs': configured({ fixtures: './mocks' }),
  });
  const { cookies } = await visit(url);
  const [Cookie = ''] = cookies[0]?.split(';') ?? [];
  const repos = async (): Promise<number> => {
    const list: unknown = await (await fetch(`${url}/api/v1/repos`, { headers: { Cookie } })).json();
    return Array.isArray(list) ? list.length : -1;
  };
  t.is(await repos(), 1);
  const file = join(project, 'mocks/team.json');
  await writeFile(
    file,
    JSON.stringify({ repos: [...team.repos, { id: 'two', owner: 'team', repo: 'two' }] }),
  );
  await eventually(async () => (await repos()) === 2);
  await writeFile(file, '{"repos": 7}');
  await eventually(async () => /team\.json:1:\d+.*repos[\s\S]*the data stays/.test(output()));
  t.is(await repos(), 2);
});

test('options and fixtures that are wrong are explained where the page asks for data, and on the terminal', async (t) => {
  const { url, output } = await start(t, 'vite', {
    'vite.config.mjs': configured({ fixtures: './nowhere', delay: -1 }),
  });
  const { status, text } = await visit(`${url}/api/v1/repos`);
  t.is(status, 500);
  for (const problem of [/delay/, /nowhere/]) {
    t.regex(text, problem);
    t.regex(output(), problem);
  }
  t.regex((await visit(url)).text, /<title>app/);
});

test('other machines get neither controls nor a session from the plugin, unless it exposes them', async (t) => {
  const elsewhere = { Host: '192.0.2.7' };
  const closed = await start(t, 'vite for other machines');
  t.deepEqual((await visit(closed.url, elsewhere)).cookies, []);
  t.is((await visit(`${closed.url}/__admin/faults`, elsewhere)).status, 404);
  t.is((await visit(`${closed.url}/api/v1/repos`, { ...elsewhere, ...signedIn.headers })).status, 200);
  t.is((await visit(closed.url)).cookies.length, 2);
  t.notRegex((await visit(`${closed.url}/login`, elsewhere)).text, /Log in as\b/);
  t.regex(closed.output(), /only this machine may use controls/);
  const open = await start(t, 'vite for other machines', { 'vite.config.mjs': configured({ expose: true }) });
  t.is((await visit(open.url, elsewhere)).cookies.length, 2);
  t.is((await visit(`${open.url}/__admin/faults`, elsewhere)).status, 200);
  t.regex((await visit(`${open.url}/login`, elsewhere)).text, /Log in as\b/);
  t.regex(open.output(), /OPEN TO OTHER MACHINES/);
  const named = await start(t, 'vite', {
    'vite.config.mjs': configured({}, "server: { allowedHosts: ['my.test'] },"),
  });
  const ofHost = { ...signedIn.headers, Host: 'my.test' };
  t.is((await visit(`${named.url}/api/v1/repos`, ofHost)).status, 200);
  t.is((await visit(`${named.url}/__admin/faults`, ofHost)).status, 404);
  t.is((await visit(`${named.url}/api/v1/repos`, { ...ofHost, Host: 'other.test' })).status, 403);
});

test('pages of other origins cannot use the controls of the plugin', async (t) => {
  const { url } = await start(t, 'vite');
  const headers = { Origin: 'http://stranger.test', 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: '{"code":503}' };
  t.is(await statusOf(`${url}/__admin/faults`, init), 404);
});

test('below a base, the plugin answers there and at the root', async (t) => {
  const { url } = await start(t, 'vite', { 'vite.config.mjs': configured({}, "base: '/app/',") });
  t.is(await statusOf(`${url}/app/api/v1/repos`, signedIn), 200);
  t.is(await statusOf(`${url}/api/v1/repos`, signedIn), 200);
  t.regex((await visit(`${url}/app/`)).text, /<title>app/);
});

/** Serves in the middleware mode of Vite, then over HTTP/2, and prints the statuses of requests to each. */
const otherModes = `import { createServer } from 'node:http';
import { connect } from 'node:http2';
import * as vite from 'vite';
import config from './vite.config.mjs';

const own = { configFile: false, plugins: config.plugins, appType: 'spa', logLevel: 'silent' };
const inMiddleware = await vite.createServer({ ...own, server: { middlewareMode: true } });
const server = createServer(inMiddleware.middlewares).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const page = await fetch('http://127.0.0.1:' + server.address().port, { headers: { Accept: 'text/html' } });
console.log(page.status, page.headers.getSetCookie()[0]);
const ended = fetch('http://127.0.0.1:' + server.address().port + '/api/v1/repos', {
  headers: { Cookie: 'session=acme-session', Prefer: 'hang' },
  // Half as long as it hangs if nothing ends it.
  signal: AbortSignal.timeout(30_000),
}).then(() => 'answered', (error) => error.name);
await new Promise((resolve) => server.once('request', resolve));
await inMiddleware.close();
console.log(await ended);
server.close();

const { key, cert } = JSON.parse(process.env.CERTIFICATE);
const secure = await vite.createServer({ ...own, server: { host: '127.0.0.1', port: 0, https: { key, cert } } });
await secure.listen();
const client = connect('https://127.0.0.1:' + secure.httpServer.address().port, { rejectUnauthorized: false });
const send = (headers, body = '') =>
  new Promise((resolve) => {
    const length = body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) };
    const stream = client.request({ ...headers, ...length });
    let status = 'none';
    stream.on('response', (head) => { status = head[':status']; });
    stream.on('error', () => {}).on('close', () => resolve(status)).resume().end(body);
  });
const repos = { ':path': '/api/v1/repos', cookie: 'session=acme-session' };
const rules = { ':path': '/__admin/faults', ':method': 'POST' };
const drop = JSON.stringify({ kind: 'drop', times: 1 });
console.log(await send(repos), await send(rules, drop), await send(repos), await send(repos));
client.close();
await secure.close();
`;

test('in the middleware mode of Vite and over HTTP/2, the plugin answers as in its server', async (t) => {
  const { project } = await start(t, 'vite', { 'serve.mjs': otherModes });
  const { stdout } = await promisify(execFile)(process.execPath, ['serve.mjs'], {
    cwd: project,
    env: { ...process.env, CERTIFICATE: JSON.stringify(selfSigned) },
  });
  t.is(stdout, '200 session=acme-session; Path=/; HttpOnly; SameSite=Lax\nTypeError\n200 201 none 200\n');
});

/** Front ends that render on the server, and ask the API there with the cookies of the page. */
const rendering: Readonly<
  Record<string, Readonly<{ name: FrontEnd; files: Readonly<Record<string, string>> }>>
> = {
  SvelteKit: {
    name: 'vite',
    files: {
      'package.json': '{"type":"module"}',
      'vite.config.mjs': `import { sveltekit } from '@sveltejs/kit/vite';
import { triageApi } from 'triage-api/vite';
export default { plugins: [triageApi(), sveltekit()] };`,
      'src/app.html':
        '<!doctype html><html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      'src/routes/+page.server.js': `export const load = async ({ fetch, url }) =>
  ({ repos: await (await fetch(url.origin + '/api/v1/repos')).json() });`,
      'src/routes/+page.svelte': `<script>let { data } = $props();</script><p>{data.repos.length} repositories</p>`,
    },
  },
  'React Router': {
    name: 'react-router',
    files: {
      'package.json': '{"type":"module","dependencies":{"@react-router/node":"*","isbot":"*"}}',
      'vite.config.mjs': `import { reactRouter } from '@react-router/dev/vite';
import { triageApi } from 'triage-api/vite';
export default { plugins: [triageApi(), reactRouter()] };`,
      'app/root.jsx': `import { Outlet } from 'react-router';
export default () => <html lang="en"><body><Outlet /></body></html>;`,
      'app/routes.js': `import { index } from '@react-router/dev/routes';
export default [index('home.jsx')];`,
      'app/home.jsx': `export const loader = async ({ request: { url, headers } }) => {
  const cookie = headers.get('cookie') ?? '';
  return { repos: await (await fetch(new URL('/api/v1/repos', url), { headers: { cookie } })).json() };
};
export default ({ loaderData: { repos } }) => <p>{repos.length + ' repositories'}</p>;`,
    },
  },
};

for (const [title, { name, files }] of Object.entries(rendering)) {
  test(`a page that ${title} renders on the server has data at the first visit`, async (t) => {
    const { url } = await startFrontEnd(t, name, files, {});
    const page = await visit(url);
    t.regex(page.text, /9 repositories/);
    t.is(page.cookies.length, 2);
    t.deepEqual((await journey(url, url)).statuses, worksThroughout);
  });
}

test('the plugin fits the types of each version of Vite', async (t) => {
  const config = (name: string) =>
    `import { triageApi } from 'triage-api/vite';
import { defineConfig } from '${name}';
export default defineConfig({ plugins: [triageApi({ fixtures: './mocks', persona: 'team', now: new Date(0) })] });`;
  const versions = ['vite', 'vite-6', 'vite-7'];
  const configs = Object.fromEntries(versions.map((name) => [`${name}.mts`, config(name)]));
  const { project } = await start(t, 'vite', configs);
  const settings = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext', types: ['node'] };
  t.is(await typeProblems(project, settings, Object.keys(configs)), '');
});

test('the preview of a build answers as the API, and the build has nothing of the plugin', async (t) => {
  const built = await start(t, 'vite');
  const vite = join(installedFrontEnds, 'vite/bin/vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: built.project });
  const { stdout } = await promisify(execFile)('grep', ['-rlie', 'triage-api', 'dist'], {
    cwd: built.project,
  }).catch((error: unknown) => ({ stdout: Object(error).code === 1 ? '' : String(error) }));
  t.is(stdout, '');
  const preview = await start(t, 'vite preview', { 'dist/index.html': app });
  t.is((await visit(preview.url)).cookies.length, 2);
  t.is(await statusOf(`${preview.url}/api/v1/repos`, signedIn), 200);
});

test('tests in the browser mode of Vitest fetch from the plugin, and simulate failures there', async (t) => {
  const browser = {
    enabled: true,
    headless: true,
    instances: [{ browser: 'chromium' }],
  };
  const launch = { launchOptions: { executablePath: findChromium(), args: ['--no-sandbox'] } };
  const project = await recipeProject(t, {
    'vitest.config.mjs': `import { playwright } from '@vitest/browser-playwright';
      import { triageApi } from 'triage-api/vite';
      const browser = { ...${JSON.stringify(browser)}, provider: playwright(${JSON.stringify(launch)}) };
      export default { plugins: [triageApi()], test: { browser, setupFiles: './vitest.setup.mjs' } };`,
    'vitest.setup.mjs': block(page, 'js vitest.setup.mjs'),
    'findings.test.js': `import { expect, test } from 'vitest';
      test('findings', async () => {
        const { totalItems } = await (await fetch('/api/v1/findings')).json();
        expect(totalItems).toBe(41);
        expect((await fetch('/api/v1/findings', { headers: { Prefer: 'code=503' } })).status).toBe(503);
      });`,
  });
  const run = startShell(t, project, 'npx vitest run', { ...process.env, NO_COLOR: '1' });
  t.regex((await run.finished).out, /Tests {2}1 passed/);
});
