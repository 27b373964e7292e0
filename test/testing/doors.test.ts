import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { runs } from '../_runs.js';
import { outcomeOf, type Pair, pairOver, shippedFixture } from './_pair.js';

const fixtures = [shippedFixture('acme'), shippedFixture('demo')];
const [acme, demo] = fixtures;
const session = acme?.sessions?.[0]?.value ?? '';
const token = acme?.apiTokens?.[0]?.token ?? '';
const finding = acme?.fixDrafts?.[0]?.id ?? '';
const pullRequest = acme?.pullRequests?.[0]?.id ?? '';
const repo = acme?.repos?.[0]?.id ?? '';
const account = { email: 'dana@acme.test', password: 'acme-password' };

const own = { Cookie: `session=${session}` };
const wantsJson = { Accept: 'application/json' };
const wantsPages = { Accept: 'text/html' };

const lists = ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs'];
const operations = [...lists, `/api/v1/findings/${finding}`, '/api/v1/findings/no-such'];

/** Paths of each kind, with and without something behind them. */
const paths = [
  ...operations,
  ...['/', '/login', '/signup', '/session', '/settings/tokens', '/settings/account', '/explore', '/docs'],
  ...['/explore/findings', `/explore/findings/${finding}`, '/explore/prs', '/explore/repos'],
  '/login/style.css',
  ...['/explore/controls', '/explore/changes', '/openapi.json', '/docs/swagger-ui.css', '/assets/explore.js'],
  ...['/__admin', '/__admin/faults', '/__admin/none', '/__admin/openapi.json'],
  ...'/healthz /readyz /nope /api/v1 /api/v1/nope /api/V1/repos /api/v1/repos/ /login/'.split(' '),
  ...['//api/v1/repos', '/api/v1/findings/%E4%F6', '/api/v1/findings/a%2Fb', '/explore/findings/%2e%2e%2f'],
];

const queries = [
  ...['', '?', '?page=1&limit=2', '?page=2&limit=3&severity=high', `?repoId=${repo}&status=open&page=1`],
  ...['?status=closed', '?page=0', '?page=9007199254740993&limit=1e2', '?limit=101&page=-1', '?unknown=1'],
  ...['?severity=urgent&status=done', '?page=1&page=2', '?repoId=%F0%9F%98%80%00&page=%31', '?next=//evil'],
];

const credentials: readonly Readonly<Record<string, string>>[] = [
  own,
  { Cookie: `other=1; session="${session}"; x=y` },
  { Cookie: `session=${demo?.sessions?.[0]?.value ?? ''}` },
  { Authorization: `Bearer ${token}` },
  { Authorization: `bearer  ${token}`, Cookie: 'session=wrong' },
  { Authorization: `Basic ${token}` },
  { Cookie: 'session=expired' },
  {},
];

const preferences = [
  ...['code=200', 'code=401', 'code=503', 'empty', 'malformed', 'truncate', 'drop', 'delay=1, code=500'],
  ...['empty, malformed', 'code=x', 'respond-async', ''],
];

/** A request as the table and the property test have it. */
type Asked = Readonly<{
  path: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

const form = (path: string, fields: Readonly<Record<string, string>>, headers = {}): Asked => ({
  path,
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

const json = (path: string, body: unknown, headers = {}): Asked => ({
  path,
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Every kind of request. What they change, they change behind both doors. */
const table: readonly Asked[] = [
  ...paths.flatMap((path) =>
    [own, { ...own, ...wantsPages }, { ...own, ...wantsJson }, wantsPages, {}].map((headers) => ({
      path,
      headers,
    })),
  ),
  ...operations.flatMap((path) => [
    ...queries.map((query) => ({ path: `${path}${query}`, headers: own })),
    ...credentials.flatMap((headers) =>
      ['', '?page=x'].map((query) => ({ path: `${path}${query}`, headers })),
    ),
    ...preferences.map((preference) => ({ path, headers: { ...own, Prefer: preference } })),
    { path, headers: { ...own, 'If-None-Match': '*' } },
    { path, method: 'HEAD', headers: own },
  ]),
  ...paths.flatMap((path) =>
    ['DELETE', 'OPTIONS', 'PATCH'].map((method) => ({ path, method, headers: own })),
  ),
  ...[account, { ...account, password: 'wrong' }, { email: 'nobody@acme.test', password: 'x' }].flatMap(
    (fields) => [
      json('/login', fields),
      form('/login', fields),
      form('/login', { ...fields, next: '/explore/prs?status=open' }),
      form('/login', { ...fields, next: '//evil.test' }),
    ],
  ),
  ...[{ email: 7 }, [], 'x', { more: 'x'.repeat(20_000) }].map((body) => json('/login', body)),
  { ...json('/login', {}), body: '{' },
  { path: '/login', method: 'POST', headers: { ...wantsJson, 'Content-Type': 'text/plain' }, body: 'x' },
  form('/login/demo', { account: 'usr_demo' }),
  json('/signup', { name: 'Kim', email: 'kim@new.test', password: 'a-long-password' }),
  json('/signup', { name: 'Kim', email: 'kim@new.test', password: 'a-long-password' }),
  form('/signup', { name: '', email: 'kim', password: 'short' }),
  form('/settings/tokens', { name: 'of a test' }, own),
  form('/settings/account/password', { current: 'wrong', password: 'another-password' }, own),
  json('/__admin/clock', { advance: '2h' }),
  { path: '/explore', headers: { ...own, ...wantsPages } },
  json('/__admin/faults', { operation: 'GET /explore/prs', code: 503, times: 1 }),
  json('/__admin/faults', { operation: 'GET /nope', code: 503 }),
  { path: '/explore/prs', headers: own },
  form('/logout', {}, own),
  { path: '/logout', method: 'POST', headers: { ...own, ...wantsJson } },
];

let asked = 0;

/** Asks both, and expects the same of both. */
const same = async (t: ExecutionContext, pair: Pair, { path, headers, ...init }: Asked): Promise<void> => {
  asked += 1;
  const whole = { ...init, headers: { 'X-Request-Id': `request-${asked}`, ...headers } };
  const [expected, found] = [
    await outcomeOf(pair.server, path, whole),
    await outcomeOf(pair.handler, path, whole),
  ];
  t.deepEqual(found, expected, `${init.method ?? 'GET'} ${path} ${JSON.stringify(whole)}`);
};

test('every request of the table gets the same answer through both doors', async (t) => {
  const pair = await pairOver(t, fixtures, { strict: false });
  for (const each of table) await same(t, pair, each);
});

test('any request, whatever its path, method and body, gets the same answer through both doors', async (t) => {
  const pair = await pairOver(t, fixtures);
  const hostile = fc.oneof(
    fc.constantFrom(...paths),
    fc.tuple(fc.constantFrom(...paths), fc.webPath()).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom(...paths), fc.string({ unit: 'binary' })).map((parts) => parts.join('/')),
  );
  const query = fc.oneof(
    fc.constantFrom(...queries),
    fc.webQueryParameters().map((text) => `?${text}`),
  );
  const posted = fc.oneof(fc.json(), fc.webQueryParameters(), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(
      hostile,
      query,
      fc.constantFrom(...credentials),
      fc.constantFrom(wantsJson, wantsPages, {}),
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'x/y; charset=z',
      ),
      posted,
      async (path, rest, credential, accept, method, type, body) => {
        const isRead = method === 'GET' || method === 'HEAD';
        const headers = { ...credential, ...accept, ...(isRead ? {} : { 'Content-Type': type }) };
        await same(t, pair, { path: `${path}${rest}`, method, headers, ...(isRead ? {} : { body }) });
      },
    ),
    runs(),
  );
});

test('both doors show what tests change', async (t) => {
  const pair = await pairOver(t, fixtures, { seed: 7, rateLimit: '500/h' });
  const everything = async (): Promise<void> => {
    for (const path of [...operations, '/explore'])
      for (const headers of [own, { Authorization: `Bearer ${token}` }])
        await same(t, pair, { path, headers });
  };
  for (const rule of [
    { code: 503, times: 2 },
    { operation: 'listFindings', kind: 'truncate', after: 1 },
    { kind: 'empty', tenant: acme?.user?.id ?? '' },
    { code: 500, probability: 0.5 },
    { operation: 'GET /explore', delay: 1, jitter: 2 },
    { operation: 'getFinding', kind: 'drop' },
  ] as const) {
    await pair.change(({ faults }) => faults.add(rule));
    await everything();
  }
  const changes: readonly Parameters<Pair['change']>[0][] = [
    ({ faults }) => faults.clear(),
    ({ clock }) => clock.advance('40d'),
    ({ patch }) => patch('fixDrafts', finding, { severity: 'low', package: 'schöne-pakete' }),
    ({ remove }) => remove('pullRequests', pullRequest),
    ({ setStorage }) => setStorage('unavailable'),
    ({ setStorage }) => setStorage('fine'),
    ({ reset }) => reset(),
    ({ setFixtures }) => setFixtures(demo === undefined ? [] : demo),
  ];
  for (const change of changes) await pair.change(change).then(everything);
  const journals: unknown[] = [];
  await pair.change(({ requests }) =>
    journals.push(requests().map((each) => ({ ...each, milliseconds: 0 }))),
  );
  t.deepEqual(journals[1], journals[0]);
  for (let i = 0; i < 500; i += 1) await same(t, pair, { path: '/api/v1/repos', headers: own });
});
