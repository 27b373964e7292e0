import test, { type ExecutionContext } from 'ava';
import { fetchHandler, type NewFaultRule } from '../../src/testing/fetch-handler.js';
import { startTriageApi, TriageApiError } from '../../src/testing/server.js';
import { now, shippedFixture } from './_pair.js';
import { problemsOf, started } from './_start.js';

type Rule = Partial<NewFaultRule>;

/** A server and a handler with some rules, and what each answers. */
const withRules = async (t: ExecutionContext, ...rules: readonly Rule[]) => {
  const fixtures = shippedFixture('acme');
  const server = await startTriageApi({ fixtures, now });
  t.teardown(server.stop);
  const handler = fetchHandler(fixtures, { now });
  for (const rule of rules) for (const { faults } of [server, handler]) faults.add(rule);
  const initOf = (more: Readonly<Record<string, string>>): RequestInit => ({
    headers: { Cookie: 'session=acme-session', ...more },
    redirect: 'manual',
  });
  return [
    (path: string, more = {}) => fetch(`${server.url}${path}`, initOf(more)),
    (path: string, more = {}) => handler(new Request(`http://api.test${path}`, initOf(more))),
  ] as const;
};

const findings = '/api/v1/findings?limit=3';
const json = 'application/json; charset=utf-8';
const html = 'text/html; charset=utf-8';
const location = 'https://sso.example.com/';
const long = { more: 'x'.repeat(80_000) };
const tooLong =
  'ignored alter (fault-1), by which the body would be longer than twice the real one and 64 kB';

/** Rules with a request, and what comes back: the status, what is simulated, headers, and the body. */
const answers: readonly (readonly [
  rule: Rule,
  path: string,
  status: number,
  simulated: string | null,
  headers: Readonly<Record<string, string | null>>,
  body: RegExp,
])[] = [
  [
    { operation: 'listFindings', code: 503 },
    findings,
    503,
    'code=503',
    { 'content-type': json, 'preference-applied': null },
    /^\{"error":"Service unavailable"\}$/,
  ],
  [
    {
      code: 503,
      body: { title: 'Down' },
      headers: { 'content-type': 'application/problem+json', 'X-Trace': 'abc' },
      retryAfter: 7,
    },
    findings,
    503,
    'code=503, retryAfter=7',
    { 'content-type': 'application/problem+json', 'x-trace': 'abc', 'retry-after': '7' },
    /^\{"title":"Down"\}$/,
  ],
  [{ code: 302, headers: { location } }, findings, 302, 'code=302', { location }, /./],
  [
    { kind: 'empty', query: { page: '2' } },
    '/api/v1/prs?page=2',
    200,
    'empty',
    {},
    /"items":\[\].*"totalItems":0/,
  ],
  [
    {
      alter: { totalItems: 'many', further: { nested: true }, limit: null },
      headers: { 'X-Extra': 'yes', 'content-type': 'application/vnd.api+json' },
    },
    findings,
    200,
    'altered, headers',
    { 'x-extra': 'yes', etag: null, 'content-type': 'application/vnd.api+json' },
    /^\{"items":\[\{.*\}\],"page":1,"totalItems":"many","totalPages":\d+,"further":\{"nested":true\}\}$/,
  ],
  [{ alter: { page: 0 } }, '/api/v1/findings?page=0', 400, null, {}, /"error"/],
  [{ alter: null }, findings, 200, 'altered', {}, /^null$/],
  [
    { alter: { more: 'x'.repeat(60_000) } },
    findings,
    200,
    'altered',
    { 'x-triage-warning': null },
    /x{60000}/,
  ],
  [{ alter: long }, findings, 200, null, { 'x-triage-warning': tooLong }, /^\{"items":.{100,20000}$/],
  [{ delay: 1 }, '/api/v1/nope', 404, 'delay=1', {}, /"error"/],
];

for (const [rule, path, status, simulated, headers, body] of answers)
  test(`the rule ${JSON.stringify(rule, (_, value) => (value?.length > 100 ? `${value.length} characters` : value))} brings ${path} a ${status}`, async (t) => {
    for (const ask of await withRules(t, rule)) {
      const answer = await ask(path);
      const { headers: found } = answer;
      t.is(answer.status, status);
      t.is(found.get('x-triage-simulated'), simulated === null ? null : `${simulated} (fault-1)`);
      for (const [name, value] of Object.entries(headers)) t.is(found.get(name), value, name);
      t.regex(await answer.text(), body);
    }
  });

for (const [rule, path, init, status, body] of [
  [{ code: 503 }, '/', {}, 200, /^<!doctype html>/i],
  [
    { operation: 'POST /login', code: 503 },
    '/login',
    { method: 'POST' },
    503,
    /^\{"error":"Service unavailable"\}$/,
  ],
  [
    { operation: 'POST /login', code: 409 },
    '/login',
    { method: 'POST', headers: { Accept: html } },
    409,
    /^<html>.*409 Conflict/s,
  ],
  [{ operation: 'GET /login', kind: 'gateway' }, '/login', {}, 502, /^<html>.*502 Bad Gateway/s],
  [{ operation: 'GET /', code: 500 }, '/', {}, 500, /This failure is simulated: Internal server error\./],
  [{ operation: 'GET /', kind: 'maintenance' }, '/', {}, 503, /Try again in <strong>2 minutes<\/strong>/],
  [
    { operation: 'GET /', code: 503, retryAfter: 7 },
    '/',
    {},
    503,
    /Try again in <strong>7 seconds<\/strong>/,
  ],
] as const)
  test(`the rule ${JSON.stringify(rule)} brings the page ${path} a ${status}`, async (t) => {
    const api = await started(t);
    api.faults.add(rule);
    const answer = await api.fetch(path, {
      headers: { Accept: 'method' in init ? 'application/json' : html },
      ...init,
    });
    t.is(answer.status, status);
    t.regex(await answer.text(), body);
    t.like(api.requests(), [{ operation: `${'method' in init ? 'POST' : 'GET'} ${path}`, status }]);
  });

test('a test makes requests of one tenant fail, and asserts what was sent; a preference counts before rules', async (t) => {
  const api = await started(t);
  const { faults, requests } = api;
  const list = async (tenant: string, headers = {}) =>
    (await api.fetch('/api/v1/repos', { tenant, headers })).status;
  t.is(await list('acme'), 200);
  const { id } = faults.add({ operation: 'listConnectedRepos', tenant: 'acme', code: 500, times: 1 });
  t.is(await list('acme', { Prefer: 'code=429' }), 429);
  t.deepEqual([await list('demo'), await list('acme'), await list('acme')], [200, 500, 200]);
  t.like(faults.list()[0], { id, matched: 1, applied: 1 });
  t.deepEqual(
    requests({ operation: 'listConnectedRepos', tenant: 'acme' }).map(({ status, simulated }) => [
      status,
      simulated,
    ]),
    [
      [200, null],
      [429, 'code=429 (Prefer)'],
      [500, `code=500 (${id})`],
      [200, null],
    ],
  );
  t.is(requests({ status: '500' }).length, 1);
  t.true(faults.remove(id));
  faults.add({ code: 503 });
  faults.clear();
  t.is(await list('acme'), 200);
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

test('a body trickles, and is whole in the end', async (t) => {
  const [real] = await withRules(t);
  const expected = await (await real('/api/v1/findings/fix_0001')).text();
  const [overHttp, overFetch] = await withRules(t, { bytesPerSecond: 2000 });
  for (const ask of [overHttp, overFetch]) {
    const answer = await ask('/api/v1/findings/fix_0001');
    t.is(answer.headers.get('x-triage-simulated'), 'bytesPerSecond=2000 (fault-1)');
    const parts: Uint8Array[] = [];
    for await (const part of answer.body ?? []) parts.push(part);
    t.is(Buffer.concat(parts).toString(), expected);
    // A tenth of it each; a busy client may find several at once.
    const longest = Math.max(...parts.map(({ length }) => length));
    t.true(ask === overHttp || (parts.length >= 2 && longest <= 200), `${parts.length} ${longest}`);
  }
});

test('a connection ends in the middle of the body, by a rule or by a preference', async (t) => {
  for (const ask of await withRules(t, { kind: 'cut', operation: 'listFindings' })) {
    const answer = await ask(findings);
    t.is(answer.status, 200);
    let length = 0;
    const reading = async (): Promise<void> => {
      for await (const part of answer.body ?? []) length += part.length;
    };
    await t.throwsAsync(reading());
    t.is(length, Math.ceil(Number(answer.headers.get('content-length')) / 2));
    await t.throwsAsync(ask('/api/v1/prs', { Prefer: 'cut' }).then((cut) => cut.text()));
  }
});

test('slow bodies of more than 64 MB together are refused until one has ended', async (t) => {
  const [ask] = await withRules(t, { code: 500, body: 'x'.repeat(4_000_000), bytesPerSecond: 1 });
  const slow = await Promise.all(Array.from({ length: 16 }, () => ask(findings)));
  t.true(slow.every(({ status }) => status === 500));
  const refused = await ask(findings);
  const error = 'the slow bodies of others (bytesPerSecond) hold 64000000 bytes of 64000000';
  t.deepEqual([refused.status, await refused.json()], [503, { error }]);
  await slow[0]?.body?.cancel();
  // The server notices by and by that the client has gone.
  for (let next = refused; next.status !== 500; next = await ask(findings)) t.is(next.status, 503);
});
