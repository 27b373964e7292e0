import test from 'ava';
import { type NewFaultRule, TriageApiError } from '../../src/testing/fetch-handler.js';
import { throughBothDoors } from './_doors.js';
import { problemsOf, started } from './_start.js';

const findings = '/api/v1/findings?limit=3';
const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const portal = '<h1>Sign in to the Wi-Fi</h1>';
const location = 'https://sso.example.com/';
const tooLong =
  'ignored alter (fault-1), by which the body would be longer than twice the real one and 64 kB';

/**
 * A rule, or what a client prefers; what comes back: the status, what is simulated, headers, and the body;
 * and the method, the path and the type that is asked for, where these are others.
 */
const answers: readonly (readonly [
  what: Partial<NewFaultRule> | string,
  status: number,
  simulated: string | null,
  headers: Readonly<Record<string, string | null>>,
  body: RegExp,
  request?: string,
])[] = [
  [{ code: 503 }, 503, 'code=503', { 'content-type': json, 'preference-applied': null }, /"Service unavail/],
  [
    { code: 503, body: { title: 'Down' }, headers: { 'content-type': 'a/b', 'X-Trace': 'c' }, retryAfter: 7 },
    503,
    'code=503, retryAfter=7',
    { 'content-type': 'a/b', 'x-trace': 'c', 'retry-after': '7' },
    /^\{"title":"Down"\}$/,
  ],
  [{ code: 429, headers: { 'retry-after': null } }, 429, 'code=429', { 'retry-after': null }, /"Too many/],
  [{ code: 302, headers: { location } }, 302, 'code=302', { location }, /./],
  [{ kind: 'gateway', body: null }, 502, 'gateway', { 'content-type': json }, /^null$/],
  [
    { kind: 'maintenance', retryAfter: 5 },
    503,
    'retryAfter=5, maintenance',
    { 'retry-after': '5' },
    /"error"/,
  ],
  [
    'gateway',
    502,
    'gateway',
    { 'content-type': html, 'preference-applied': 'gateway', 'retry-after': null },
    /^<html>\s.*<h1>502 Bad Gateway<\/h1>.*<\/html>\s+$/s,
  ],
  ['timeout', 504, 'timeout', { 'content-type': html }, /^<html>\s.*<h1>504 Gateway Time-out<\/h1>/s],
  ['forbidden', 403, 'forbidden', { 'content-type': json }, /^\{"error":"Forbidden"\}$/],
  ['maintenance', 503, 'maintenance', { 'retry-after': '120' }, /^\{"error":"Service unavailable"\}$/],
  [
    'body=html',
    200,
    'code=200, body=html',
    { 'content-type': html },
    /^<!doctype html>\n<title>App<\/title>/,
  ],
  ['code=200, body=empty', 200, 'code=200, body=empty', { 'content-type': null }, /^$/],
  ['code=200, body=text', 200, 'code=200, body=text', { 'content-type': text }, /^OK$/],
  ['gateway, body=text', 502, 'body=text, gateway', { 'content-type': text }, /^OK$/],
  [
    { code: 200, body: portal, headers: { 'content-type': html } },
    200,
    'code=200',
    { 'content-type': html, etag: null },
    /^<h1>Sign in/,
  ],
  [{ code: 200, body: '' }, 200, 'code=200', { 'content-type': text }, /^$/],
  [{ headers: { ETag: null, 'X-More': '1' } }, 200, 'headers', { etag: null, 'x-more': '1' }, /"items":\[\{/],
  [
    {
      alter: { totalItems: 'many', further: { nested: true }, limit: null },
      headers: { 'X-Extra': 'yes', 'content-type': 'application/vnd.api+json' },
    },
    200,
    'altered, headers',
    { 'x-extra': 'yes', etag: null, 'content-type': 'application/vnd.api+json' },
    /^\{"items":\[\{.*\}\],"page":1,"totalItems":"many","totalPages":\d+,"further":\{"nested":true\}\}$/,
  ],
  [{ alter: { page: 0 } }, 400, null, {}, /"error"/, 'GET /api/v1/findings?page=0'],
  [{ alter: null }, 200, 'altered', {}, /^null$/],
  [{ alter: { more: 'x'.repeat(60_000) } }, 200, 'altered', { 'x-triage-warning': null }, /x{60000}/],
  [{ alter: { more: 'x'.repeat(80_000) } }, 200, null, { 'x-triage-warning': tooLong }, /^.{100,20000}$/],
  [{ delay: 1 }, 404, 'delay=1', {}, /"error"/, 'GET /api/v1/nope'],
  [{ code: 503 }, 200, null, { 'content-type': html }, /^<!doctype html>/i, 'GET / text/html'],
  [
    { operation: 'GET /session', code: 200, body: portal },
    ...([200, 'code=200', { 'content-type': text }, /^<h1>/, 'GET /session'] as const),
  ],
  [
    { operation: 'GET /session', code: 503, headers: { 'Retry-After': null } },
    503,
    'code=503',
    { 'content-type': html, 'retry-after': null },
    /This failure is simulated/,
    'GET /session',
  ],
  [
    { operation: 'POST /login', code: 503 },
    ...([503, 'code=503', {}, /^\{"error":"Service un/, 'POST /login application/json'] as const),
  ],
  [
    { operation: 'POST /login', code: 409 },
    ...([409, 'code=409', {}, /^<html>.*409 Conflict/s, 'POST /login text/html'] as const),
  ],
  [
    { operation: 'GET /login', kind: 'gateway' },
    ...([502, 'gateway', {}, /^<html>.*502 Bad Gateway/s, 'GET /login text/html'] as const),
  ],
  [
    { operation: 'GET /', kind: 'maintenance' },
    ...([503, 'maintenance', {}, /Try again in <strong>2 minutes<\/strong>/, 'GET / text/html'] as const),
  ],
  [
    { operation: 'GET /', code: 503, retryAfter: 7 },
    503,
    'code=503, retryAfter=7',
    {},
    /Try again in <strong>7 seconds<\/strong>/,
    'GET / text/html',
  ],
];

const shortened = (_: string, value: unknown) =>
  typeof value === 'string' && value.length > 100 ? `${value.length} characters` : value;

for (const [what, status, simulated, expected, body, request = `GET ${findings}`] of answers)
  test(
    `${JSON.stringify(what, shortened)} makes the answer to ${request} a ${status}`,
    throughBothDoors(async (t, { controls, ask }) => {
      const [method = '', path = '', accept = '*/*'] = request.split(' ');
      const isRule = typeof what !== 'string';
      if (isRule) controls.faults.add(what);
      const prefer = isRule ? {} : { Prefer: what };
      const answer = await ask(path, { method, headers: { Accept: accept, ...prefer } });
      t.is(answer.status, status);
      const by = simulated === null ? null : `${simulated} (${isRule ? 'fault-1' : 'Prefer'})`;
      t.is(answer.headers.get('x-triage-simulated'), by);
      for (const [name, value] of Object.entries(expected)) t.is(answer.headers.get(name), value, name);
      t.regex(await answer.text(), body);
      t.like(controls.requests(), [{ status, simulated: by }]);
    }),
  );

for (const [prefer, isCut] of [
  ['cut', true],
  ['bytesPerSecond=100000', false],
] as const)
  test(
    `a client that has the body already gets it anew with ${prefer}`,
    throughBothDoors(async (t, { ask }) => {
      const etag = (await ask(findings)).headers.get('etag') ?? '';
      t.is((await ask(findings, { headers: { 'If-None-Match': etag } })).status, 304);
      const answer = await ask(findings, { headers: { 'If-None-Match': etag, Prefer: prefer } });
      t.deepEqual([answer.status, answer.headers.get('x-triage-simulated')], [200, `${prefer} (Prefer)`]);
      await (isCut ? t.throwsAsync(answer.text()) : t.notThrowsAsync(answer.json()));
    }),
  );

test('a test makes requests of one tenant fail, and asserts what was sent; a preference counts before rules', async (t) => {
  const api = await started(t);
  const { faults, requests } = api;
  const list = async (tenant: string, headers = {}) =>
    (await api.fetch('/api/v1/repos', { tenant, headers })).status;
  const { id } = faults.add({ operation: 'listConnectedRepos', tenant: 'acme', code: 500, times: 1 });
  t.is(await list('acme', { Prefer: 'code=429' }), 429);
  t.deepEqual([await list('demo'), await list('acme'), await list('acme')], [200, 500, 200]);
  t.like(faults.list()[0], { id, matched: 1, applied: 1 });
  const ofAcme = requests({ operation: 'listConnectedRepos', tenant: 'acme' });
  t.deepEqual(
    ofAcme.map(({ status, simulated }) => [status, simulated]),
    [
      [429, 'code=429 (Prefer)'],
      [500, `code=500 (${id})`],
      [200, null],
    ],
  );
});

test('an invalid rule, filter or rate is refused with its name', async (t) => {
  const { faults, requests } = await started(t);
  const invalid = { operation: 'listPrs', delay: 1, body: 'x' } as const;
  t.deepEqual(t.throws(() => faults.add(invalid), { instanceOf: TriageApiError })?.problems, [
    'faults.add: body needs a code',
  ]);
  t.throws(() => requests({ status: 'many' }), { message: /requests \/status: expected a status/ });
  t.regex(
    String(await problemsOf(started(t, { rateLimit: 'often' }))),
    /options \/rateLimit: expected a rate such/,
  );
});

test(
  'a body trickles, and is whole in the end',
  throughBothDoors(async (t, { name, controls, ask }) => {
    const path = '/api/v1/findings/fix_0001';
    const expected = await (await ask(path)).text();
    controls.faults.add({ bytesPerSecond: 2000 });
    const answer = await ask(path);
    t.is(answer.headers.get('x-triage-simulated'), 'bytesPerSecond=2000 (fault-1)');
    const parts: Uint8Array[] = [];
    for await (const part of answer.body ?? []) parts.push(part);
    t.is(Buffer.concat(parts).toString(), expected);
    // A tenth of it each; a busy client may find several at once.
    const longest = Math.max(...parts.map(({ length }) => length));
    t.true(name === 'server' || (parts.length >= 2 && longest <= 200), `${parts.length} ${longest}`);
  }),
);

test('slow bodies of more than 64 MB together are refused until one has ended', async (t) => {
  const api = await started(t);
  api.faults.add({ code: 500, body: 'x'.repeat(4_000_000), bytesPerSecond: 1 });
  const slow = await Promise.all(Array.from({ length: 16 }, () => api.fetch(findings)));
  t.true(slow.every(({ status }) => status === 500));
  const refused = await api.fetch(findings);
  const error = 'the slow bodies of others (bytesPerSecond) hold 64000000 bytes of 64000000';
  t.deepEqual([refused.status, await refused.json()], [503, { error }]);
  await slow[0]?.body?.cancel();
  // The server notices by and by that the client has gone.
  for (let next = refused; next.status !== 500; next = await api.fetch(findings)) t.is(next.status, 503);
});
