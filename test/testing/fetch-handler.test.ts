import test from 'ava';
import { type FetchHandlerOptions, fetchHandler, TriageApiError } from '../../src/testing/fetch-handler.js';
import { now, origin, shippedFixture } from './_pair.js';

const acme = shippedFixture('acme');
const demo = shippedFixture('demo');

const get = (path: string, init: RequestInit = {}): Request => new Request(`${origin}${path}`, init);

test('a handler answers at once, and each has its own data', async (t) => {
  const [one, other] = [fetchHandler(acme, { now }), fetchHandler(acme, { now })];
  await one.patch('repos', 'repo_storefront', { owner: 'renamed' });
  const headers = { Authorization: `Bearer ${one.token}` };
  const prs = '/api/v1/prs?repoId=repo_storefront&limit=1';
  const owners = [];
  for (const handler of [one, other])
    owners.push(Object(await (await handler(get(prs, { headers }))).json()).items[0].repo.owner);
  t.deepEqual(owners, ['renamed', 'acme-corp']);
});

const sessionOf = { acme: acme.sessions?.[0]?.value ?? '', demo: demo.sessions?.[0]?.value ?? '' };
const assumed: readonly (readonly [FetchHandlerOptions['session'], string | null])[] = [
  [undefined, null],
  [false, null],
  [true, acme.user?.id ?? ''],
  [demo.user?.id ?? '', demo.user?.id ?? ''],
  [sessionOf.demo, demo.user?.id ?? ''],
];
for (const [session, tenant] of assumed) {
  test(`session: ${session}`, async (t) => {
    const handler = fetchHandler([acme, demo], session === undefined ? { now } : { now, session });
    const statusOf = async (init: RequestInit) => (await handler(get('/api/v1/repos', init))).status;
    t.is(await statusOf({}), tenant === null ? 401 : 200);
    t.is(handler.requests()[0]?.tenant, tenant);
    t.is(await statusOf({ headers: { Cookie: 'theme=dark' } }), tenant === null ? 401 : 200);
    t.is(await statusOf({ headers: { Cookie: 'session=wrong' } }), 401);
    t.is(await statusOf({ headers: { Authorization: 'Bearer x' } }), 401);
    t.is(await statusOf({ credentials: 'omit' }), 401);
    await handler(get('/api/v1/repos', { headers: { Cookie: `session=${sessionOf.acme}` } }));
    t.is(handler.requests().at(-1)?.tenant, acme.user?.id);
  });
}

test('a base path comes before all paths, or a proxy has taken it away', async (t) => {
  const handler = fetchHandler(acme, { now, session: true, basePath: '/mock/x' });
  const statuses = [];
  for (const path of [
    '/mock/x/api/v1/repos',
    '/api/v1/repos',
    '/mock/x',
    '/mock/xapi/v1/repos',
    '/mock/x//api/v1/repos',
  ])
    statuses.push((await handler(get(path))).status);
  t.deepEqual(statuses, [200, 200, 200, 404, 404]);
});

test('a target of any length gets an answer', async (t) => {
  const handler = fetchHandler(acme, { now, session: true, strict: false });
  const statusOf = async (path: string) => (await handler(get(path))).status;
  t.is(await statusOf(`/api/v1/repos?${'a'.repeat(16_000)}=1`), 200);
  for (const path of ['/api/v1/repos?', '/api/v1/findings/', '/', '/api/v1/'])
    t.is(await statusOf(`${path}${'a'.repeat(1_000_000)}`), 400);
  t.true(handler.requests().every(({ url }) => url.length < 20_000));
});

test('a client that gives up gets the reason of its signal', async (t) => {
  const handler = fetchHandler(acme, { now, session: true, delay: 3_600_000 });
  const { signal } = new AbortController();
  t.false(signal.aborted);
  const early = handler(get('/api/v1/repos', { signal: AbortSignal.abort(new Error('early')) }));
  await t.throwsAsync(early, { message: 'early' });
  for (const [path, headers] of [
    ['/api/v1/repos', {}],
    ['/api/v1/nope', {}],
  ] as const) {
    const controller = new AbortController();
    const waiting = handler(get(path, { signal: controller.signal, headers }));
    setTimeout(() => controller.abort(new Error('late')), 5);
    await t.throwsAsync(waiting, { message: 'late' });
  }
  t.deepEqual(
    handler.requests().map(({ status }) => status),
    [499, 499],
  );
});

test('what is kept cannot be changed by whoever reads it', async (t) => {
  const handler = fetchHandler(acme, { now, session: true });
  const read = async () => new Uint8Array(await (await handler(get('/api/v1/findings'))).arrayBuffer());
  await read();
  const first = await read();
  first.fill(0);
  t.is((await read())[0], '{'.charCodeAt(0));
});

for (const [title, fixtures, options, problems] of [
  ['no tenant', [], {}, [/the list is empty/]],
  [
    'a session of the wrong type',
    acme,
    { session: 7 },
    [/options \/session: expected true, false, the name/],
  ],
  ['a session that nobody has', acme, { session: 'nobody' }, [/options session: expected true, the name/]],
  ['a base path with a slash at its end', acme, { basePath: '/x/' }, [/options \/basePath: expected a path/]],
  [
    'options and fixtures',
    { repos: 'x' },
    { delay: 'x', rateLimit: '5' },
    [/\/delay/, /\/rateLimit/, /repos/],
  ],
  ['a fixture that extends a shipped one', { extends: 'acme' }, {}, [/extends/]],
] as const) {
  test(`refused, with all problems: ${title}`, (t) => {
    const error = t.throws(
      () => fetchHandler(Object(fixtures), options === null ? Object('x') : Object(options)),
      {
        instanceOf: TriageApiError,
      },
    );
    t.is(error?.problems.length, problems.length, error?.message);
    for (const [index, pattern] of problems.entries()) t.regex(error?.problems[index] ?? '', pattern);
  });
}

const own = 'http://localhost:8000';
const listed = { allowedHosts: ['demo.test'] };
const doors: readonly (readonly [
  boolean,
  string,
  Readonly<Record<string, string>>,
  Pick<FetchHandlerOptions, 'controls' | 'allowedHosts'>,
])[] = [
  [true, own, {}, {}],
  [true, own, { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-origin' }, {}],
  [false, own, { 'Sec-Fetch-Site': 'cross-site' }, {}],
  [false, 'http://stranger.test', {}, {}],
  [false, 'https://demo.test', {}, {}],
  [true, 'https://demo.test', {}, listed],
  [true, 'http://demo.test', { Origin: 'https://demo.test', 'Sec-Fetch-Site': 'same-origin' }, listed],
  [true, 'https://stranger.test', { Origin: 'https://other.test' }, { controls: true }],
  [false, own, {}, { controls: false }],
];
for (const [isOpen, at, headers, options] of doors) {
  const about = `${at} ${JSON.stringify(headers)} ${JSON.stringify(options)}`;
  test(`controls and accounts are ${isOpen ? 'open' : 'closed'} to ${about}`, async (t) => {
    const handler = fetchHandler(acme, { now, session: true, ...options });
    const ask = (path: string, init: RequestInit = {}, more = {}) =>
      handler(new Request(`${at}${path}`, { ...init, headers: { ...headers, ...more } }));
    t.is((await ask('/__admin/faults')).status, isOpen ? 200 : 404);
    t.is(
      (await ask('/api/v1/repos', {}, { Prefer: 'code=503' })).status,
      503,
      'a preference is about one answer',
    );
    const page = await (await ask('/login', { credentials: 'omit' }, { Accept: 'text/html' })).text();
    t.is(page.includes('acme-password'), isOpen);
    const body = JSON.stringify({ account: 'usr_acme' });
    const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
    const { status } = await ask('/login/demo', { method: 'POST', body }, json);
    t.is(status === 200, isOpen, `${status}`);
  });
}

test('a body that is too long is not read to its end', async (t) => {
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (stream) => {
      sent += 1;
      stream.enqueue(new Uint8Array(1000));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const headers = { 'Content-Type': 'application/json' };
  const handler = fetchHandler(acme, { now });
  const request = new Request(`${origin}/login`, { method: 'POST', headers, body, duplex: 'half' });
  t.is((await handler(request)).status, 413);
  t.true(isCancelled);
  t.true(sent < 200, `${sent}`);
});
