import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { runs } from '../_runs.js';
import { now, outcomeOf, type Pair, pairOver, shippedFixture } from './_pair.js';

const fixtures = [shippedFixture('acme'), shippedFixture('demo')];
const [acme, demo] = fixtures;
const session = acme?.sessions?.[0]?.value ?? '';
const token = acme?.apiTokens?.[0]?.token ?? '';
const finding = acme?.fixDrafts?.[0]?.id ?? '';
const repo = acme?.repos?.[0]?.id ?? '';
const others = demo?.sessions?.[0]?.value ?? '';

const lists = ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs'];
const paths = [
  ...lists,
  `/api/v1/findings/${finding}`,
  `/api/v1/findings/${encodeURIComponent(demo?.fixDrafts?.[0]?.id ?? '')}`,
  '/api/v1/findings/no-such',
  '/api/v1/findings/%E4%F6',
  '/api/v1/findings/a%2Fb',
];

const queries = [
  '',
  '?',
  '?page=1&limit=2',
  '?page=2&limit=3&severity=high',
  `?repoId=${repo}`,
  `?repoId=${repo}&status=open&page=1`,
  '?status=closed',
  '?status=resolved&severity=critical',
  '?page=0',
  '?page=9007199254740993&limit=1e2',
  '?limit=101&page=-1',
  '?severity=urgent&status=done',
  '?page=1&page=2',
  '?unknown=1&another=%F0%9F%98%80',
  '?repoId=%F0%9F%98%80%00&page=%31',
  '?repoId=&limit=',
];

const credentials: readonly Readonly<Record<string, string>>[] = [
  { Cookie: `session=${session}` },
  { Cookie: `other=1; session="${session}"; x=y` },
  { Cookie: `session=${others}` },
  { Authorization: `Bearer ${token}` },
  { Authorization: `bearer  ${token}`, Cookie: 'session=wrong' },
  { Authorization: 'Bearer wrong', Cookie: `session=${session}` },
  { Authorization: `Basic ${token}` },
  { Cookie: 'session=expired' },
  {},
];

const elsewhere = [
  '/api/v1',
  '/api/v1/',
  '/api/v1/repos/',
  '/api/V1/repos',
  '/api/v1/nope?page=1',
  '/api/v2/repos',
  '/api/',
  '//api/v1/repos',
  '/nope',
];

let asked = 0;

/** Asks both, and expects the same of both. */
const same = async (
  t: ExecutionContext,
  { server, handler }: Pair,
  path: string,
  init: RequestInit = {},
): Promise<void> => {
  asked += 1;
  const headers = { 'X-Request-Id': `request-${asked}`, ...Object(init.headers) };
  const expected = await outcomeOf(server, path, { ...init, headers });
  const found = await outcomeOf(handler, path, { ...init, headers });
  t.deepEqual(found, expected, `${init.method ?? 'GET'} ${path} ${JSON.stringify(init.headers ?? {})}`);
};

const own = { Cookie: `session=${session}` };

/** A few requests of each kind, for after a change. */
const everything = async (t: ExecutionContext, pair: Pair): Promise<void> => {
  for (const path of paths) {
    await same(t, pair, path, { headers: own });
    await same(t, pair, path, { headers: { Authorization: `Bearer ${token}` } });
  }
  for (const query of queries) await same(t, pair, `/api/v1/findings${query}`, { headers: own });
  await same(t, pair, '/api/v1/nope', { headers: own });
};

for (const strict of [true, false]) {
  test(`operations, parameters and credentials, ${strict ? 'strict' : 'lenient'}`, async (t) => {
    const pair = await pairOver(t, fixtures, { strict });
    for (const path of paths) {
      for (const query of queries) await same(t, pair, `${path}${query}`, { headers: own });
      for (const headers of credentials) await same(t, pair, path, { headers });
      for (const headers of credentials) await same(t, pair, `${path}?page=x`, { headers });
    }
  });
}

test('any combination of path, query, credentials and method', async (t) => {
  const pair = await pairOver(t, fixtures);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths, ...elsewhere),
      fc.oneof(
        fc.constantFrom(...queries),
        fc.webQueryParameters().map((text) => `?${text}`),
      ),
      fc.constantFrom(...credentials),
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      async (path, query, headers, method) => same(t, pair, `${path}${query}`, { headers, method }),
    ),
    runs(),
  );
});

test('other methods and other paths', async (t) => {
  const pair = await pairOver(t, fixtures);
  for (const path of [...paths, ...elsewhere]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      await same(t, pair, path, { method, headers: own });
    }
  }
});

test('conditional requests, and ids of requests', async (t) => {
  const pair = await pairOver(t, fixtures);
  for (const path of paths) {
    const { headers } = await pair.server(path, { headers: own });
    const etag = headers.get('ETag') ?? '"none"';
    for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*', '"x"', 'malformed']) {
      for (const method of ['GET', 'HEAD']) {
        await same(t, pair, path, { method, headers: { ...own, 'If-None-Match': condition } });
      }
    }
    await same(t, pair, path, {
      headers: { ...own, traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
    });
  }
  const { headers } = await pair.handler('/api/v1/repos', { headers: { 'X-Request-Id': 'ä b' } });
  t.regex(headers.get('X-Request-Id') ?? '', /^[\da-f-]{36}$/);
});

test('what a client prefers, and explanations', async (t) => {
  const pair = await pairOver(t, fixtures);
  const preferences = [
    ...[200, 400, 401, 404, 418, 429, 500, 503].map((code) => `code=${code}`),
    ...['empty', 'malformed', 'truncate', 'drop', 'delay=1', 'delay=1, code=500', 'empty, delay=1'],
    ...['empty, malformed', 'code=x', 'delay=999999', 'respond-async', ''],
  ];
  for (const path of [...lists, `/api/v1/findings/${finding}`]) {
    for (const preference of preferences) {
      for (const method of ['GET', 'HEAD']) {
        await same(t, pair, path, { method, headers: { ...own, Prefer: preference } });
      }
    }
    for (const query of queries) {
      await same(t, pair, `${path}${query}`, { headers: { ...own, 'X-Triage-Explain': '1' } });
    }
    await same(t, pair, path, { headers: { ...own, 'X-Triage-Explain': '1', Prefer: 'empty' } });
  }
});

test('rules by which requests fail, chance included', async (t) => {
  const pair = await pairOver(t, fixtures, { seed: 7 });
  for (const rule of [
    { code: 503, times: 2 },
    { operation: 'listFindings', kind: 'truncate', after: 1 },
    { kind: 'empty', tenant: acme?.user?.id ?? '' },
    { kind: 'malformed', query: { page: '1' } },
    { code: 500, probability: 0.5 },
    { delay: 1, jitter: 2 },
    { operation: 'POST /login', code: 503 },
    { operation: 'getFinding', kind: 'drop' },
  ] as const) {
    await pair.change(({ faults }) => faults.add(rule));
    await everything(t, pair);
  }
  await pair.change(({ faults }) => faults.remove('fault-3'));
  await everything(t, pair);
  await pair.change(({ faults }) => faults.clear());
  await everything(t, pair);
});

test('a moved clock', async (t) => {
  const pair = await pairOver(t, fixtures);
  for (const change of ['2h', '40d', '-45d'])
    await pair.change(({ clock }) => clock.advance(change)).then(() => everything(t, pair));
  await pair.change(({ clock }) => clock.set('2030-01-01T00:00:00Z'));
  await everything(t, pair);
  await pair.change(({ setNow }) => setNow('2030-01-03T00:00:00Z'));
  await everything(t, pair);
});

test('patched, added and removed rows', async (t) => {
  const pair = await pairOver(t, fixtures);
  await pair.change(({ patch }) =>
    patch('fixDrafts', finding, { severity: 'low', package: 'schöne-pakete' }),
  );
  await everything(t, pair);
  const row = {
    ...{ id: 'repo_new', owner: 'new', repo: 'repository', defaultBranch: 'main' },
    ...{ isDemoRow: false, scanStatusBadge: 'ok', status: 'clean' },
  };
  await pair.change(({ insert }) => insert('repos', row));
  await everything(t, pair);
  await pair.change(({ remove }) => remove('repos', 'repo_new'));
  await everything(t, pair);
  await pair.change(({ reset }) => reset());
  await everything(t, pair);
  await pair.change(({ setFixtures }) => setFixtures(demo === undefined ? [] : demo));
  await everything(t, pair);
  await same(t, pair, '/api/v1/repos', { headers: { Cookie: `session=${others}` } });
});

test('a scenario', async (t) => {
  const scenario = [
    { at: '0s', tenant: acme?.user?.id ?? '', patch: { fixDrafts: { [finding]: { status: 'escalated' } } } },
    { at: '1h', tenant: acme?.user?.id ?? '', patch: { fixDrafts: { [finding]: { status: 'resolved' } } } },
  ];
  const pair = await pairOver(t, fixtures, { scenario });
  await everything(t, pair);
  await pair.change(({ clock }) => clock.advance('1h'));
  await everything(t, pair);
});

test('a limit', async (t) => {
  const pair = await pairOver(t, fixtures, { rateLimit: '5/h' });
  for (let i = 0; i < 8; i += 1) {
    for (const headers of credentials) await same(t, pair, '/api/v1/prs', { headers });
  }
});

test('a storage that fails', async (t) => {
  const pair = await pairOver(t, fixtures);
  for (const state of ['unavailable', 'broken', 'fine'] as const) {
    await pair.change(({ setStorage }) => setStorage(state));
    await everything(t, pair);
  }
});

test('the journal has the same entries', async (t) => {
  const pair = await pairOver(t, fixtures, { strict: false });
  await pair.change(({ faults }) => faults.add({ operation: 'listPrs', code: 503 }));
  await everything(t, pair);
  for (const path of elsewhere) await same(t, pair, path, { method: 'POST' });
  const journals: unknown[] = [];
  await pair.change(({ requests }) =>
    journals.push(requests().map((entry) => ({ ...entry, milliseconds: 0 }))),
  );
  t.deepEqual(journals[1], journals[0]);
  t.like(Object(journals[0])[0], { at: now, operation: 'listConnectedRepos', status: 200 });
});
