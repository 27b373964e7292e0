import test from 'ava';
import { getResponse } from 'msw';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { triageHandlers } from '../../src/testing/msw.js';
import { now, origin, pairOver, shippedFixture } from './_pair.js';

const acme = shippedFixture('acme');
const account = { email: 'dana@acme.test', password: 'acme-password' };

const json = (path: string, body: unknown, method = 'POST'): readonly [string, RequestInit] => [
  path,
  { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
];
const wanting = { Accept: 'application/json' };

test('rules about the login are applied as by the server', async (t) => {
  const pair = await pairOver(t, acme);
  const cookie = { Cookie: `session=${acme.sessions?.[0]?.value}` };
  const outcome = async (answers: typeof pair.server, [path, init]: readonly [string, RequestInit]) => {
    const response = await answers(path, init);
    const names = ['x-triage-simulated', 'retry-after', 'content-type', 'cache-control'];
    return [response.status, ...names.map((name) => response.headers.get(name)), await response.text()];
  };
  for (const rule of [
    { operation: 'GET /session', delay: 1 },
    { operation: 'POST /login', code: 503 },
    { operation: 'POST /login', code: 502, body: { m: 1 }, headers: { 'content-type': 'text/x' } },
    { operation: 'POST /login', kind: 'maintenance' },
    { operation: 'POST /login', delay: 1, requestHeaders: { 'X-A': '2' } },
    { operation: 'GET /session', code: 429, retryAfter: 7 },
  ] as const) {
    await pair.change(({ faults }) => faults.add(rule));
    for (const request of [
      ['/session', { headers: { ...wanting, ...cookie } }],
      json('/login', { ...account, password: 'wrong' }),
    ] as const)
      t.deepEqual(await outcome(pair.handler, request), await outcome(pair.server, request));
  }
  const handle = fetchHandler(acme, { now });
  const ask = (init: RequestInit) => handle(new Request(`${origin}/session`, init));
  handle.faults.add({ operation: 'GET /session', code: 503 });
  t.is((await ask({ headers: cookie })).status, 503);
  handle.faults.add({ operation: 'GET /session', kind: 'drop' });
  await t.throwsAsync(ask({}), { instanceOf: TypeError });
  t.deepEqual(
    handle.requests().map(({ status, tenant, simulated }) => [status, tenant, simulated]),
    [
      [503, acme.user?.id ?? '', 'code=503 (fault-1)'],
      [499, null, 'drop (fault-2)'],
    ],
  );
});

test('the session of a login works until the logout, also in a tenant on demand', async (t) => {
  const handle = fetchHandler(acme, { now, basePath: '/mock' });
  const send = (path: string, init: RequestInit = {}) => handle(new Request(`${origin}/mock${path}`, init));
  const tenant = await handle.createTenant({ fixture: {} });
  for (const user of [account, { email: tenant.user.email, password: tenant.password }]) {
    const loggedIn = await send(...json('/login', user));
    t.is(Object(await loggedIn.json()).user.email, user.email);
    const [cookie = ''] = loggedIn.headers.get('set-cookie')?.split(';') ?? [];
    const headers = { Cookie: cookie };
    t.is((await send('/api/v1/repos', { headers })).status, 200);
    t.is((await send('/api/v1/repos')).status, 401, 'a handler keeps no cookies');
    t.is(Object(await (await send('/session', { headers })).json()).user.email, user.email);
    t.is((await send('/logout', { method: 'POST', headers: { ...headers, ...wanting } })).status, 204);
    t.is((await send('/api/v1/repos', { headers })).status, 401);
  }
  const form = { method: 'POST', body: new URLSearchParams({ ...account, next: '//evil.test' }) };
  const { headers } = await send('/login', form);
  t.is(headers.get('location'), '/mock/');
  t.regex(headers.get('set-cookie') ?? '', /^session=[\w-]+; path=\/mock;/);
  const entries = handle.requests().filter(({ operation }) => operation === 'POST /login');
  t.deepEqual(
    entries.map(({ tenant: id, status }) => [id, status]),
    [
      [acme.user?.id, 200],
      [tenant.name, 200],
      [acme.user?.id, 303],
    ],
  );
});

test('without pages, the session of a tenant goes on when a visitor leaves it', async (t) => {
  const api = triageHandlers(acme, { now });
  const send = async (path: string, method: string) => {
    const headers = { Cookie: `session=${api.session}` };
    return getResponse(api, new Request(`${origin}${path}`, { method, headers }));
  };
  const left = await send('/logout', 'POST');
  t.is(left?.status, 204);
  t.is((await send('/api/v1/repos', 'GET'))?.status, 200);
});
