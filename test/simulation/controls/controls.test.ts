import test from 'ava';
import { createSimulation } from '../../../src/simulation/simulation.js';
import { serve } from '../../_server.js';
import { acme } from '../../koa/_world.js';

const post = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('rules are added, listed and removed', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const added = await ask('/__admin/faults', post({ operation: 'listFindings', code: 503, times: 1 }));
  t.is(added.status, 201);
  const rule = { id: 'fault-1', operation: 'listFindings', code: 503, times: 1, matched: 0, applied: 0 };
  t.deepEqual(added.body, rule);
  t.deepEqual((await ask('/__admin/faults')).body, [rule]);
  t.is((await ask('/__admin/faults/fault-1', { method: 'DELETE' })).status, 204);
  const gone = await ask('/__admin/faults/fault-1', { method: 'DELETE' });
  t.deepEqual([gone.status, gone.body], [404, { error: 'There is no rule fault-1' }]);
  await ask('/__admin/faults', post({ code: 500 }));
  t.is((await ask('/__admin/faults', { method: 'DELETE' })).status, 204);
  t.deepEqual((await ask('/__admin/faults')).body, []);
});

test('a rule is changed in its place, and goes on counting until it has had its turn', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const put = async (id: string, rule: object) =>
    ask(`/__admin/faults/${id}`, { ...post(rule), method: 'PUT' });
  const prs = async () => (await ask('/api/v1/prs', { headers: { Cookie: 'session=acme-cookie' } })).status;
  const rule = { operation: 'listPrs', code: 503, times: 2 };
  for (const added of [rule, { code: 500, times: 1, operation: 'getFinding' }])
    await ask('/__admin/faults', post(added));
  t.is(await prs(), 503);
  const changed = await put('fault-1', { ...rule, code: 502 });
  t.deepEqual(
    [changed.status, changed.body],
    [200, { ...rule, id: 'fault-1', code: 502, matched: 1, applied: 1 }],
  );
  t.like(simulation.faults.list(), [
    { id: 'fault-1', code: 502 },
    { id: 'fault-2', code: 500 },
  ]);
  t.deepEqual([await prs(), await prs()], [502, 200]);
  t.like((await put('fault-1', rule)).body, { matched: 0, applied: 0 });
  await put('fault-1', { operation: 'listPrs', kind: 'hold' });
  const held = prs();
  while (simulation.faults.list()[0]?.applied !== 1) await new Promise((resolve) => setImmediate(resolve));
  await put('fault-1', { operation: 'listPrs', kind: 'hold', off: true });
  t.deepEqual([await held, await prs()], [200, 200]);
  const refused = await put('fault-1', { code: 200 });
  t.deepEqual(
    [refused.status, refused.body],
    [400, { error: 'code 200 needs a body, such as "" for an empty one' }],
  );
  const missing = await put('fault-9', rule);
  t.deepEqual([missing.status, missing.body], [404, { error: 'There is no rule fault-9' }]);
});

test('what was sent is shown for the latest hundred requests, without secrets, until the journal is emptied', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const headers = { Cookie: 'session=acme-cookie', 'X-Api-Key': 'short', 'X-Attempt': '2' };
  for (let i = 0; i < 101; i += 1) await ask('/api/v1/repos', { headers });
  const shown = async (number: number) => ask(`/__admin/requests/${number}`);
  t.deepEqual([(await shown(1)).status, (await shown(2)).status, (await shown(102)).status], [404, 200, 404]);
  const { requestHeaders, body, end, ...response } = Object((await shown(101)).body);
  t.like(requestHeaders, { cookie: '…', 'x-api-key': '…', 'x-attempt': '2' });
  t.deepEqual([JSON.parse(body).length, end], [5, 'written']);
  t.is(response.headers['content-type'], 'application/json; charset=utf-8');
  await ask('/__admin/requests', { method: 'DELETE' });
  t.is((await shown(101)).status, 404);
});

test('an invalid rule, query or body is refused with each problem', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const answers = [
    await ask('/__admin/faults', post({ operation: 'listPrs', code: 404, kind: 'gateway' })),
    await ask('/__admin/faults', post('{')),
    await ask('/__admin/faults', post('"text"')),
    await ask('/__admin/faults', post(`{"operation":"${'x'.repeat(4 * 2 ** 20)}"}`)),
    await ask('/__admin/requests?oops=1'),
    await ask('/__admin/requests?status=many'),
    await ask('/__admin/faults?operation=listPrs'),
    await ask('/__admin/faults?operation=listPrs', { method: 'DELETE' }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 413, 400, 400, 400, 400],
  );
  t.deepEqual(answers[0]?.body, { error: 'kind "gateway" cannot be combined with a code: it is a 502' });
});

test('bodies that a page of another site may send without asking are refused', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    t.is((await ask('/__admin/faults', post({ code: 500 }, type))).status, 415, type);
    t.is((await ask('/__admin/faults', { ...post('{}', type), method: 'DELETE' })).status, 415, type);
  }
  t.is((await ask('/__admin/faults', { method: 'POST' })).status, 415);
  t.deepEqual(simulation.faults.list(), []);
});

test('another method of a control gets a 405 with what there is, and an unknown one a 404', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const answer = await ask('/__admin/faults', { method: 'PUT' });
  t.deepEqual([answer.status, answer.headers.get('allow')], [405, 'DELETE, GET, HEAD, OPTIONS, POST']);
  t.is((await ask('/__admin/nope')).status, 404);
  const changing = await ask('/__admin/tenants', post({}));
  t.is(changing.status, 404, 'without data that can be changed');
});

/** An answer without what differs from request to request. */
const comparable = ({
  status,
  headers,
  text,
}: Readonly<{ status: number; headers: Headers; text: string }>) => {
  const { date: _, 'x-request-id': __, ...rest } = Object.fromEntries(headers);
  return { status, rest, text };
};

test('without the right to use them, the controls look like an unknown path', async (t) => {
  const hidden = { headers: { 'X-Forwarded-For': '192.0.2.7', Prefer: 'code=503' } };
  const servers = [
    await serve(t, [acme], { simulation: createSimulation() }),
    await serve(t, [acme], {}, { adminToken: 'a-token-of-some-length' }),
    await serve(t, [acme]),
  ];
  for (const { ask } of servers) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const unknown = comparable(await ask('/nowhere/faults', { ...hidden, method }));
      t.is(unknown.status, 404);
      for (const path of ['/__admin/faults', '/__admin/', '/__admin', '/__admin/openapi.json'])
        t.deepEqual(comparable(await ask(path, { ...hidden, method })), unknown, `${method} ${path}`);
    }
    const asBrowser = { ...hidden, headers: { ...hidden.headers, Accept: 'text/html' } };
    t.is((await ask('/__admin/faults/', { ...asBrowser, redirect: 'manual' })).status, 404);
  }
});

test('/docs leads to the controls, and the API’s document has their headers, only where there are controls', async (t) => {
  const withControls = await serve(t, [acme], { simulation: createSimulation() });
  const without = await serve(t, [acme]);
  t.true((await withControls.ask('/docs')).text.includes('/docs?controls'));
  t.false((await without.ask('/docs')).text.includes('/docs?controls'));
  t.true((await withControls.ask('/openapi.json')).text.includes('x-triage-mock-control'));
  t.false((await without.ask('/openapi.json')).text.includes('x-triage-mock-control'));
});
