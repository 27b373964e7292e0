import test from 'ava';
import { cookie } from '../_server.js';
import { started } from '../testing/_start.js';

const path = '/explore/controls';

/** The page of a server, and how its forms post. */
const open = async (t: Parameters<typeof started>[0]) => {
  const api = await started(t, { now: '2026-11-20T12:00:00Z' });
  const page = async (query = '', session = api.session) =>
    (await fetch(`${api.url}${path}${query}`, cookie(session))).text();
  const post = (fields: Readonly<Record<string, string>>) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { Accept: 'text/html', Origin: api.url, Cookie: `session=${api.session}` },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const ask = (target: string, headers = {}) =>
    fetch(`${api.url}${target}`, { headers: { Cookie: `session=${api.session}`, ...headers } });
  return { api, page, post, ask };
};

test('ten buttons simulate what people want most, for the next requests of a tenant', async (t) => {
  const { api, page, post, ask } = await open(t);
  const press = async (preset: string, of = 'usr_acme') => {
    const { status: answered, headers } = await post({ control: 'preset', preset, of });
    t.is(answered, 303, preset);
    return headers.get('location');
  };
  const buttons = Array.from((await page()).matchAll(/name="preset" value="([^"]+)"/g), ([, name]) => name);
  t.deepEqual(buttons, [
    ...['unavailable', 'slow', 'hold', 'signed-out', 'empty'],
    ...['html', 'limited', 'cut', 'changed', 'later'],
  ]);
  t.regex(await page(), /<option value="usr_acme" selected>acme</);

  t.is(await press('unavailable'), `${path}?done=addFault#fault-1`);
  t.regex(await page(), /<li id="fault-1"[^>]*><p>Every operation of acme answers 503, the next 3 of 3\./);
  api.faults.clear();
  for (const [preset, status, simulated] of [
    ['unavailable', 503, 'code=503'],
    ['empty', 200, 'empty'],
    ['html', 200, 'code=200'],
    ['limited', 429, 'code=429, retryAfter=30'],
    ['cut', 200, 'cut'],
  ] as const) {
    await press(preset);
    const answer = await ask('/api/v1/findings?limit=1');
    t.is(answer.status, status, preset);
    t.true(answer.headers.get('x-triage-simulated')?.startsWith(`${simulated} (fault-`), preset);
    t.like(api.faults.list(), [{ tenant: 'usr_acme', times: 3, applied: 1 }]);
    api.faults.clear();
  }
  await press('slow');
  await press('hold', '');
  t.like(api.faults.list(), [
    { tenant: 'usr_acme', delay: 2000, times: 10 },
    { tenant: undefined, kind: 'hold', times: 1 },
  ]);
  api.faults.clear();
  await press('changed');
  const second = async (number: number) =>
    Object(await (await ask(`/api/v1/findings?limit=1&page=${number}`)).json()).items[0].id;
  t.is(await second(1), await second(2));
  await press('signed-out');
  t.is((await ask('/session')).status, 401);
  await api.setCredentials({ session: 'valid' });
  await press('later');
  t.is(api.clock.now(), '2026-11-28T12:00:00.000Z');
  const { name, clock } = await api.createTenant();
  await press('later', name);
  t.deepEqual([api.clock.now(), clock.now()], ['2026-11-28T12:00:00.000Z', '2026-12-06T12:00:00.000Z']);
  const refused = await post({ control: 'preset', preset: 'signed-out', of: '' });
  t.is(refused.status, 404);
  t.regex(await refused.text(), /role="alert">There is no such tenant: expected one of acme/);
});

test('rules are sentences with a switch, a form to change them, and a link that sends a request', async (t) => {
  const { api, page, post, ask } = await open(t);
  const rule = {
    operation: 'listPrs',
    tenant: 'acme',
    query: { page: '2' },
    kind: 'truncate',
    times: 3,
  } as const;
  const { id } = api.faults.add({
    ...rule,
    delay: 10,
    then: { patch: { user: { name: 'D' } } },
    headers: { 'X-A': null },
    code: 502,
  });
  const line = async () => /<li id="fault-1".*?<\/li>/s.exec(await page())?.[0] ?? '';
  t.regex(
    await line(),
    /listPrs of acme with page=2 waits 10 ms, answers 502, gets half of the body, changes the data afterwards, the next 3 of 3\./,
  );
  t.regex(await line(), /<a href="\/api\/v1\/prs\?page=2">Send the request<\/a>/);
  const status = async () => (await ask('/api/v1/prs?page=2')).status;
  t.is(await status(), 502);
  t.regex(await line(), /the next 2 of 3\.\s+<span class="hint">Applied to 1 of 1 requests/);

  t.is(
    (await post({ control: 'switchFault', id })).headers.get('location'),
    `${path}?done=replaceFault#${id}`,
  );
  t.regex(await line(), /role="switch" aria-checked="false" aria-label="fault-1">Off</);
  t.deepEqual([await status(), api.faults.list()[0]?.applied], [200, 1]);
  t.notRegex(await page(), /rules? active/);
  await post({ control: 'switchFault', id });
  t.regex(await line(), /aria-checked="true"/);

  const edit = await page(`?edit=${id}`);
  t.regex(edit, /<details class="card" open><summary id="rule">Edit fault-1</);
  const fields: Record<string, string> = { control: 'replaceFault', rule: id };
  for (const [, name = '', value = ''] of edit.matchAll(/<input id="\w+" name="(\w+)"[^>]* value="([^"]*)"/g))
    if (!['of-tenant', 'now', 'advance', 'from', 'ttl', 'status', 'since'].includes(name))
      fields[name] ??= value;
  for (const [, name = '', value = ''] of edit.matchAll(/<textarea[^>]* name="(\w+)"[^>]*>\n([^<]*)/g))
    fields[name] = value.replaceAll('&#34;', '"');
  for (const [, name = '', choices = ''] of edit.matchAll(
    /<select id="(operation|kind)"[^>]*>(.*?)<\/select>/gs,
  ))
    fields[name] = /value="([^"]*)" selected/.exec(choices)?.[1] ?? '';
  const before = api.faults.list();
  t.is((await post(fields)).status, 303);
  t.deepEqual(JSON.parse(JSON.stringify(api.faults.list())), JSON.parse(JSON.stringify(before)));
  await post({ ...fields, code: '503', times: '5' });
  t.like(api.faults.list()[0], { id, code: 503, times: 5, applied: 1 });
  const refused = await post({ ...fields, code: '999', times: 'x' });
  const text = await refused.text();
  t.is(refused.status, 400);
  t.regex(text, /<summary id="rule">Edit fault-1</);
});

test('after each form, the page says what was done, and secrets stand once at its top', async (t) => {
  const { page, post } = await open(t);
  const { headers } = await post({ control: 'changeClock', advance: '1h' });
  t.is(headers.get('location'), `${path}?done=changeClock#done`);
  t.regex(
    await page('?done=changeClock'),
    /<p class="notice" id="done" role="status" tabindex="-1">The clock was changed\.</,
  );
  t.notRegex(await page('?done=<b>'), /class="notice"/);
  const made = await (await post({ control: 'createTenant' })).text();
  const [before = '', after = ''] = made.split('What shall happen?');
  t.regex(
    before,
    /<code id="secret-1">[\w-]{43}<\/code> <button [^>]*data-copies="secret-1" aria-label="Copy: Password" hidden>/,
  );
  t.notRegex(after, /secret-1/);
});

test('the journal is a table without the explorer’s own requests, which opens requests and begins rules', async (t) => {
  const { api, page, ask } = await open(t);
  await ask('/api/v1/prs?limit=1&x=y', { Authorization: 'Bearer secret' });
  await ask('/explore/findings');
  const rowsOf = (text: string) =>
    Array.from(
      text.matchAll(/<tr><th scope="row"><a [^>]*>(\d+)<\/a><\/th>(.*?)<\/tr>/gs),
      ([, number, cells = '']) => [
        number,
        ...Array.from(cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs), ([, cell = '']) =>
          cell.replaceAll(/<[^>]*>/g, ''),
        ),
      ],
    );
  const [row, ...others] = rowsOf(await page());
  t.deepEqual(others, []);
  t.deepEqual(row?.with(3, ''), [
    '1',
    '12:00:00',
    '400',
    '',
    'listPrs /api/v1/prs?limit=1&#38;x=…',
    'acme',
    '',
  ]);
  t.deepEqual(
    rowsOf(await page('?own=shown'))
      .map(([number]) => number)
      .includes('2'),
    true,
  );

  const opened = await page('?request=1');
  t.regex(opened, /<div class="card request" id="opened" tabindex="-1"><h3>Request 1: listPrs</);
  t.regex(opened, /GET \/api\/v1\/prs\?limit=1&#38;x=…\n[^<]*authorization: …\n/);
  t.regex(opened, /<h4>400, written<\/h4>/);
  t.notRegex(opened, /Bearer secret|acme-session/);
  const json = Object(await (await fetch(`${api.url}/__admin/requests/1`)).json());
  t.deepEqual(
    [json.end, json.requestHeaders.cookie, JSON.parse(json.body).error],
    ['written', '…', 'unknown parameter "x"; this operation takes page, limit, repoId, status'],
  );
  const rule = await page('?like=1');
  t.regex(rule, /<details class="card" open>/);
  t.regex(rule, /name="query"[^>]* value="limit=1"/);
  t.regex(rule, /name="code"[^>]* value="400"/);
  t.regex(rule, /name="tenant"[^>]* value="usr_acme"/);
});
