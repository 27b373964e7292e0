import test from 'ava';
import { type NewFaultRule, startTriageApi, TriageApiError } from '../../src/testing/server.js';
import { throughBothDoors } from './_doors.js';

const list = '/api/v1/findings?limit=2';
const html = 'text/html; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';
const portal = '<h1>Sign in to the Wi-Fi</h1>';

/** Rules or preferences, and what comes back; last, a header that is missing. */
const answers: readonly (readonly [
  what: Partial<NewFaultRule> | string,
  status: number,
  type: string | null,
  body: RegExp,
  simulated: string,
  missing?: string,
])[] = [
  ['body=html', 200, html, /^<!doctype html>\n<title>App<\/title>\n<div id="root">/, 'code=200, body=html'],
  ['code=200, body=empty', 200, null, /^$/, 'code=200, body=empty', 'content-type'],
  ['code=200, body=text', 200, text, /^OK$/, 'code=200, body=text'],
  ['gateway, body=text', 502, text, /^OK$/, 'body=text, gateway'],
  ['body=html, delay=1', 200, html, /^<!doctype/, 'code=200, body=html, delay=1'],
  [
    { code: 200, body: portal, headers: { 'content-type': html } },
    200,
    html,
    /^<h1>Sign in/,
    'code=200',
    'etag',
  ],
  [{ code: 200, body: '' }, 200, text, /^$/, 'code=200'],
  [
    { code: 429, headers: { 'retry-after': null } },
    429,
    json,
    /^\{"error":"Too many/,
    'code=429',
    'retry-after',
  ],
  [{ headers: { ETag: null, 'X-More': '1' } }, 200, json, /^\{"items":\[\{/, 'headers', 'etag'],
  [{ operation: 'GET /session', code: 200, body: portal }, 200, text, /^<h1>/, 'code=200'],
  [
    { operation: 'GET /session', code: 503, headers: { 'Retry-After': null } },
    ...([503, html, /This failure is simulated/, 'code=503', 'retry-after'] as const),
  ],
];

for (const [what, status, type, body, simulated, missing] of answers)
  test(
    `${JSON.stringify(what)} is answered ${status} as something else than the API would`,
    throughBothDoors(async (t, { controls, ask }) => {
      const isRule = typeof what !== 'string';
      if (isRule) controls.faults.add(what);
      const path = isRule && what.operation === 'GET /session' ? '/session' : list;
      const answer = await ask(path, isRule ? {} : { headers: { Prefer: what } });
      const { headers } = answer;
      t.deepEqual([answer.status, headers.get('content-type')], [status, type]);
      t.is(headers.get('x-triage-simulated'), `${simulated} (${isRule ? 'fault-1' : 'Prefer'})`);
      if (missing !== undefined) t.false(headers.has(missing));
      t.regex(await answer.text(), body);
    }),
  );

for (const [rule, problem] of [
  [{ code: 200 }, 'code 200 needs a body, such as "" for an empty one'],
  [{ code: 201, body: '' }, ' /code: expected 200 or a status from 300 to 599, got 201'],
  [{ code: 302, headers: { location: null } }, 'code 302 is a redirect, and needs the header "location"'],
  [
    { code: 500, headers: { 'X-Triage-Simulated': null } },
    'headers: "X-Triage-Simulated" cannot be sent by a rule',
  ],
] as const)
  test(
    `the rule ${JSON.stringify(rule)} is refused: ${problem}`,
    throughBothDoors(async (t, { controls }) => {
      const refused = t.throws(() => controls.faults.add(rule), { instanceOf: TriageApiError });
      t.deepEqual(
        refused?.problems.map((line) => line.replace(/^faults.add: \//, ' /')),
        [problem.startsWith(' ') ? problem : `faults.add: ${problem}`],
      );
    }),
  );

for (const [prefer, warning] of [
  ['body=xml', 'ignored preference body=xml: expected html, empty, text'],
  ['body=html, empty', 'ignored preference empty: it cannot be combined with a body'],
] as const)
  test(
    `the preference ${prefer} is ignored in part`,
    throughBothDoors(async (t, { ask }) => {
      const { status, headers } = await ask(list, { headers: { Prefer: prefer } });
      t.deepEqual([status, headers.get('x-triage-warning')], [200, warning]);
    }),
  );

for (const [prefer, isCut] of [
  ['cut', true],
  ['bytesPerSecond=100000', false],
] as const)
  test(
    `a client that has the body already gets it anew with ${prefer}`,
    throughBothDoors(async (t, { ask }) => {
      const etag = (await ask(list)).headers.get('etag') ?? '';
      t.is((await ask(list, { headers: { 'If-None-Match': etag } })).status, 304);
      const answer = await ask(list, { headers: { 'If-None-Match': etag, Prefer: prefer } });
      t.deepEqual([answer.status, answer.headers.get('x-triage-simulated')], [200, `${prefer} (Prefer)`]);
      await (isCut ? t.throwsAsync(answer.text()) : t.notThrowsAsync(answer.json()));
    }),
  );

test('the page of the controls makes a 200 with any body, and leaves a header out', async (t) => {
  const api = await startTriageApi();
  t.teardown(api.stop);
  for (const [fields, rule] of [
    [
      { code: '200', body: '""' },
      { code: 200, body: '' },
    ],
    [
      { code: '200', body: portal, headers: `Content-Type: ${html}\nX-Empty:` },
      { code: 200, body: portal, headers: { 'Content-Type': html, 'X-Empty': null } },
    ],
  ] as const) {
    const form = new URLSearchParams({ control: 'addFault', operation: 'listPrs', ...fields });
    const { status } = await api.fetch('/explore/controls', {
      method: 'POST',
      body: form,
      headers: { Origin: api.url },
      redirect: 'manual',
    });
    t.is(status, 303);
    t.like(api.faults.list().at(-1), rule);
  }
});
