import test from 'ava';
import { createSimulation } from '../../src/simulation/simulation.js';
import { cookie, serve } from '../_server.js';
import { acme } from '../http/_world.js';
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

test('the page of the controls uses them with forms', async (t) => {
  const api = await started(t);
  const { url } = api;
  const page = async () =>
    (await fetch(`${url}/explore/controls`, { headers: { Accept: 'text/html' } })).text();
  const done = async (fields: Readonly<Record<string, string>>) => {
    const { status, headers } = await post(url, fields);
    t.deepEqual([status, headers.get('location')], [303, '/explore/controls'], JSON.stringify(fields));
    return page();
  };
  t.regex(await page(), /nothing fails/);
  t.regex(
    await done({ control: 'addFault', operation: 'listPrs', kind: '', code: '502', delay: '', times: '1' }),
    /fault-1/,
  );
  t.like(api.faults.list()[0], { operation: 'listPrs', code: 502, times: 1 });
  await done({ control: 'removeFault', id: 'fault-1' });
  t.regex(await page(), /name="every"/);
  await done({ control: 'addFault', code: '502', every: '3' });
  t.like(api.faults.list()[0], { code: 502, every: 3 });
  await done({ control: 'removeFault', id: 'fault-2' });
  t.deepEqual(api.faults.list(), []);

  await done({ control: 'changeClock', now: '2030-01-01T00:00:00Z' });
  t.regex(await done({ control: 'changeClock', advance: '1h' }), /2030-01-01T01:00:00\.000Z/);
  t.is(api.clock.now(), '2030-01-01T01:00:00.000Z');

  const made = await post(url, { control: 'createTenant', from: '', ttl: '' });
  const text = await made.text();
  t.is(made.status, 200);
  const [, id = ''] = /(usr_[\w-]{12})/.exec(text) ?? [];
  const [, session = ''] = /Session cookie<\/dt><dd><code>([\w-]{43})/.exec(text) ?? [];
  t.is((await fetch(`${url}/api/v1/repos`, cookie(session))).status, 200);
  t.false((await page()).includes(session), 'a secret is shown once');
  await done({ control: 'changeTenantClock', id, advance: '1h' });
  t.is(api.clock.now(), '2030-01-01T01:00:00.000Z');
  t.regex(await page(), /\/api\/v1\/repos/);
  await done({ control: 'removeTenant', id });
  t.false((await done({ control: 'clearRequests' })).includes('/api/v1/repos'));
  t.deepEqual(api.requests(), [], 'the page is not in the journal itself');
});

test('a form that is refused is shown again, with what was entered', async (t) => {
  const { url } = await started(t);
  const refused = await post(url, { control: 'addFault', code: '999', kind: 'gateway' });
  const text = await refused.text();
  t.is(refused.status, 400);
  t.regex(text, /role="alert">Status: expected integer from 300 to 599, got 999\.</);
  t.regex(text, /<label for="code">Status</);
  t.regex(text, /value="999"/);
  const noNumber = await post(url, { control: 'addFault', delay: 'long', times: 'x' });
  t.regex(
    await noNumber.text(),
    /role="alert">Delay: [^<]*, got &#34;long&#34;; How often: [^<]*, got &#34;x&#34;\.</,
  );
  t.is((await post(url, { control: 'dropAllTables' })).status, 404);
});

test('the page is for who may use the controls, and its forms for no other site', async (t) => {
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
