import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { cookie, serve } from '../_server.js';
import { acme } from '../koa/_world.js';
import { started } from '../testing/_start.js';

/** Posts a form of the page, as a browser does. */
const post = (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  fetch(`${url}/explore/controls`, {
    method: 'POST',
    headers: { Accept: 'text/html', Origin: url, 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });

test('forms on the page of the controls add and remove rules, change clocks, and make and remove tenants', async (t) => {
  const api = await started(t);
  const { url } = api;
  const page = async () => (await fetch(`${url}/explore/controls`)).text();
  const send = async (fields: Readonly<Record<string, string>>) => {
    const { status, headers } = await post(url, fields);
    t.is(status, 303, JSON.stringify(fields));
    t.regex(headers.get('location') ?? '', /^\/explore\/controls\?done=\w+#(?:done|fault-1)$/);
    return page();
  };
  t.regex(await page(), /nothing fails/);
  const rule = { control: 'addFault', operation: 'listPrs', kind: '', code: '502', delay: '', times: '1' };
  t.regex(await send(rule), /fault-1/);
  t.like(api.faults.list()[0], { operation: 'listPrs', code: 502, times: 1 });
  await send({ control: 'removeFault', id: 'fault-1' });
  t.deepEqual(api.faults.list(), []);

  await send({ control: 'changeClock', now: '2030-01-01T00:00:00Z' });
  t.regex(await send({ control: 'changeClock', advance: '1h' }), /2030-01-01T01:00:00\.000Z/);
  t.is(api.clock.now(), '2030-01-01T01:00:00.000Z');

  const made = await post(url, { control: 'createTenant', from: '', ttl: '' });
  const text = await made.text();
  t.is(made.status, 200);
  const [, id = ''] = /(usr_[\w-]{12})/.exec(text) ?? [];
  const [, session = ''] = /Session cookie<\/dt><dd><code id="secret-2">([\w-]{43})/.exec(text) ?? [];
  t.is((await fetch(`${url}/api/v1/repos`, cookie(session))).status, 200);
  t.false((await page()).includes(session), 'a secret is shown once');
  await send({ control: 'changeTenantClock', id, advance: '1h' });
  t.is(api.clock.now(), '2030-01-01T01:00:00.000Z');
  t.regex(await page(), /\/api\/v1\/repos/);
  await send({ control: 'removeTenant', id });
  t.notRegex(await send({ control: 'clearRequests' }), /\/api\/v1\/repos/);
  t.deepEqual(api.requests(), [], 'the page is not in the journal itself');
});

test('a form that is refused is shown again, with what was entered and the problem at each field', async (t) => {
  const { url } = await started(t);
  const fields = { tenant: 'acne', code: '302', headers: '', query: 'pag=1' };
  for (const [entered, ...shown] of [
    [
      { code: '999', kind: 'gateway' },
      /role="alert"><p>Please correct these fields\.</,
      /<label for="code">Status</,
      /id="code-problem">expected 200 or a status from 300 to 599, got 999\.</,
      /value="999"/,
    ],
    [
      { delay: 'long', times: 'x' },
      /role="alert"><p>[^<]*<\/p><ul><li><a href="#delay">[^<]*<\/a>: [^<]*<\/li>\s*<li><a href="#times">Times<\/a>/,
      /<input id="delay"[^>]* autofocus/,
      /id="delay-problem">[^<]*, got &#34;long&#34;\.</,
      /id="times-problem">[^<]*, got &#34;x&#34;\.</,
    ],
    [{ ...fields, headers: 'no line' }, /id="headers-problem">[^<]*no line/],
    [
      fields,
      /id="tenant-problem">[^<]*acne/,
      /id="query-problem">[^<]*pag/,
      /id="code-problem">code 302 is a redirect/,
    ],
    [{}, /role="alert">a rule needs a code/],
  ] as const) {
    const answer = await post(url, { control: 'addFault', ...entered });
    const text = await answer.text();
    t.is(answer.status, 400);
    for (const part of shown) t.regex(text, part);
  }
  t.is((await post(url, { control: 'dropAllTables' })).status, 404);
});

test('the form for a rule has a field for each property of a rule', async (t) => {
  const api = await started(t);
  const add = async (fields: Readonly<Record<string, string>>) =>
    t.is((await post(api.url, { control: 'addFault', ...fields })).status, 303);
  const numbers = {
    code: 503,
    retryAfter: 7,
    delay: 1,
    jitter: 2,
    bytesPerSecond: 500,
    times: 3,
    after: 1,
    every: 2,
    probability: 0.5,
  };
  await add({
    ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)])),
    operation: 'listFindings',
    tenant: 'acme',
    query: 'page=2&limit=10',
    requestHeaders: 'X-Attempt: 2\r\nAccept: */*\r\n',
    headers: 'X-From: a: b',
    body: '{"error":"later"}',
  });
  t.like(api.faults.list()[0], {
    ...numbers,
    operation: 'listFindings',
    query: { page: '2', limit: '10' },
    requestHeaders: { 'X-Attempt': '2', Accept: '*/*' },
    headers: { 'X-From': 'a: b' },
    body: { error: 'later' },
  });
  await add({ operation: 'getFinding', id: 'fix_0001', alter: '{"package":null}' });
  t.like(api.faults.list()[1], { finding: 'fix_0001', alter: { package: null } });
  await post(api.url, { control: 'clearFaults' });
  for (const [body, headers, rule] of [
    ['no JSON', '', { body: 'no JSON' }],
    ['""', 'X-Empty:', { body: '', headers: { 'X-Empty': null } }],
  ] as const) {
    await add({ operation: 'GET /login', code: '200', body, headers });
    t.like(api.faults.list().at(-1), rule);
  }
});

test('the page shows the journal by its filter, without assets and polling', async (t) => {
  const { url, session } = await started(t);
  await fetch(`${url}/api/v1/repos`, cookie(session));
  await fetch(`${url}/api/v1/findings`);
  for (const path of ['/login/style.css', '/assets/explore.js', '/explore/changes', '/favicon.ico'])
    await fetch(`${url}${path}`, cookie(session));
  const page = async (query: string) => (await fetch(`${url}/explore/controls${query}`)).text();
  for (const [query, ...paths] of [
    ['', '/api/v1/findings', '/api/v1/repos'],
    ['?operation=&tenant=&status=401&since=', '/api/v1/findings'],
    ['?operation=listConnectedRepos&tenant=acme', '/api/v1/repos'],
    ['?since=1', '/api/v1/findings'],
  ] as const) {
    const rows = (await page(query)).matchAll(/<tr><th scope="row">.*?<code>([^<]+)</gs);
    t.deepEqual(
      Array.from(rows, ([, path = '']) => path),
      paths,
      query,
    );
  }
  for (const [query, ...problems] of [
    ['?status=9', /id="of-status-problem">[^<]*, got &#34;9&#34;\./, /value="9"/],
    ['?operation=x&tenant=acne', /id="of-operation-problem">/, /id="of-tenant-problem">[^<]*acne/],
  ] as const)
    for (const problem of problems) t.regex(await page(query), problem);
});

/** What a page says of what is simulated; null: nothing. */
const lineOf = (text: string): string | null =>
  /<aside class="simulated"[^>]*><p>([^<]*)</.exec(text)?.[1] ?? null;

test('every page shows what is simulated, and one click ends it', async (t) => {
  const api = await started(t, { now: undefined, scenario: 'acme' });
  const shown = async (path = '/', init: RequestInit = cookie(api.session)): Promise<string> =>
    (await fetch(`${api.url}${path}`, { ...init, headers: { ...init.headers, Accept: 'text/html' } })).text();
  t.is(lineOf(await shown()), 'Scenario: 0 of 8 steps');
  await api.clock.advance('26h30m');
  api.faults.add({ code: 503, operation: 'listPrs' });
  api.faults.add({ code: 500, operation: 'getFinding' });
  const line = 'Clock +1 d 2 h · 2 rules active · Scenario: 8 of 8 steps';
  for (const path of [
    '/',
    '/login',
    '/docs',
    '/explore',
    '/explore/findings',
    '/explore/controls',
    '/nothing',
  ])
    t.is(lineOf(await shown(path)), line, path);
  // A front end may forward the pages of the login and no others.
  t.notRegex(await shown('/login', {}), /value="reset"/);
  api.setStorage('unavailable');
  t.regex(lineOf(await shown('/explore')) ?? '', /Storage unavailable/);
  await api.clock.set('2030-01-01T12:00:00Z');
  t.regex(lineOf(await shown()) ?? '', /^Clock stands still at 2030-01-01 12:00 UTC/);
  for (const [back, to] of [
    ['/explore/prs?page=2', '/explore/prs?page=2'],
    ['//evil.test', '/explore/controls'],
  ] as const) {
    const reset = await post(api.url, { control: 'reset', back });
    t.deepEqual([reset.status, reset.headers.get('location')], [303, to]);
  }
  t.is(lineOf(await shown()), 'Scenario: 0 of 8 steps');
  t.deepEqual(api.faults.list(), []);
  t.is((await fetch(`${api.url}/api/v1/prs`, cookie(api.session))).status, 200);
});

test('only who may use the controls sees what is simulated, and only where something is', async (t) => {
  const api = await started(t, { now: undefined });
  const signedIn = cookie(api.session);
  const page = async (headers = {}): Promise<string | null> =>
    lineOf(await (await fetch(api.url, { headers: { ...signedIn.headers, ...headers } })).text());
  t.is(await page(), null);
  await api.patch('findings', 'fix_0001', { status: 'resolved' });
  t.is(await page(), 'Data changed');
  t.is(await page({ 'X-Forwarded-For': '10.0.0.1' }), null);
  const tenant = await api.createTenant();
  await tenant.clock.advance('-90s');
  const theirs = await fetch(api.url, cookie(tenant.session));
  t.regex(lineOf(await theirs.text()) ?? '', /^Clock of this tenant -1 min 30 s/);
});

test('the page of the controls is for who may use them, and its forms for no other site', async (t) => {
  const simulation = createSimulation();
  const { url, ask } = await serve(t, [acme], { simulation });
  t.is((await ask('/explore/controls')).status, 200);
  t.regex(
    (await ask('/explore', { headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' } })).text,
    /\/explore\/controls/,
  );
  const form = { control: 'addFault', code: '500' };
  for (const headers of [
    { Origin: 'http://evil.test', 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-site' },
    { 'X-Forwarded-For': '10.0.0.1' },
  ])
    t.is((await post(url, form, headers)).status, 404);
  t.is((await ask('/explore/controls', { headers: { 'X-Forwarded-For': '10.0.0.1' } })).status, 404);
  t.deepEqual(simulation.faults.list(), []);
  const without = await serve(t, [acme]);
  t.is((await without.ask('/explore/controls')).status, 404);
  t.notRegex(
    (await without.ask('/explore', { headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' } })).text,
    /explore\/controls/,
  );
});
