import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decode } from '../../../src/contract/codecs/problem.js';
import { type AnyOperation, operations } from '../../../src/contract/operations.js';
import { simulatedStatuses } from '../../../src/simulation/fault-rules.js';
import { createSimulation } from '../../../src/simulation/simulation.js';
import { serve } from '../../_server.js';
import { acme } from '../_world.js';

const preferring = (prefer: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { Cookie: 'session=acme-cookie', Prefer: prefer, ...more },
});

const all: readonly AnyOperation[] = Object.values(operations);

test('each status of each operation is answered with the body that the contract has for it', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  for (const operation of all) {
    const path = operation.path.replace('{id}', 'd1');
    for (const status of simulatedStatuses(operation)) {
      const answer = await ask(path, preferring(`code=${status}`));
      t.is(answer.status, status, `${operation.id} ${status}`);
      t.is(answer.headers.get('preference-applied'), `code=${status}`);
      t.is(answer.headers.get('x-triage-simulated'), `code=${status} (Prefer)`);
      t.is(answer.headers.has('www-authenticate'), status === 401);
      t.is(answer.headers.has('retry-after'), status === 429 || status === 503);
      const codec = operation.responses[status];
      if (codec === undefined) t.deepEqual([status, answer.body], [429, { error: 'Too many requests' }]);
      else t.true(E.isRight(decode(codec, answer.body)), answer.text);
    }
  }
});

test('a code that an operation does not have is refused with those that it has', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const answer = await ask('/api/v1/prs', preferring('code=404'));
  t.deepEqual(
    [answer.status, answer.body, answer.headers.has('x-triage-simulated')],
    [400, { error: 'Prefer: code=404: listPrs has 200, 400, 401, 429, 500, 503' }, false],
  );
});

test('an empty list keeps its envelope, its parameters and its credentials', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  t.deepEqual((await ask('/api/v1/repos', preferring('empty'))).body, []);
  t.deepEqual((await ask('/api/v1/findings?page=2&limit=7', preferring('empty'))).body, {
    items: [],
    page: 2,
    limit: 7,
    totalItems: 0,
    totalPages: 0,
  });
  t.is((await ask('/api/v1/prs?page=0', preferring('empty'))).status, 400);
  t.is((await ask('/api/v1/prs', { headers: { Prefer: 'empty' } })).status, 401);
});

test('a truncated and a malformed body arrive whole, and are no JSON', async (t) => {
  const { url } = await serve(t, [acme], { simulation: createSimulation() });
  const real = await (await fetch(`${url}/api/v1/repos`, preferring(''))).text();
  for (const kind of ['truncate', 'malformed']) {
    const response = await fetch(`${url}/api/v1/repos`, preferring(kind));
    const text = await response.text();
    t.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.has('etag')],
      [200, 'application/json; charset=utf-8', false],
    );
    t.throws(() => JSON.parse(text), { instanceOf: SyntaxError });
    t.is(text, kind === 'malformed' ? `${real}}` : real.slice(0, text.length));
    t.is(response.headers.get('x-triage-simulated'), `${kind} (Prefer)`);
  }
});

test('a dropped connection breaks off in the middle of the body', async (t) => {
  const { url } = await serve(t, [acme], { simulation: createSimulation() });
  const response = await fetch(`${url}/api/v1/repos`, preferring('drop'));
  t.is(response.status, 200);
  await t.throwsAsync(response.text(), { instanceOf: TypeError });
  const head = await fetch(`${url}/api/v1/repos`, { ...preferring('drop'), method: 'HEAD' });
  t.deepEqual([head.status, head.headers.get('x-triage-simulated')], [200, 'drop (Prefer)']);
});

test('a request that hangs gets nothing, until the bound of the server', async (t) => {
  const { url } = await serve(t, [acme], { simulation: createSimulation({ maxHang: 50 }) });
  await t.throwsAsync(fetch(`${url}/api/v1/repos`, preferring('hang')), { instanceOf: TypeError });
});

test('what hangs on purpose, and what would hang from then on, is cut when the server stops', async (t) => {
  // Nothing but the end of the server cuts a request within a day.
  const simulation = createSimulation({ maxHang: 24 * 60 * 60 * 1000 });
  const { url } = await serve(t, [acme], { simulation });
  simulation.faults.add({ kind: 'hang' });
  const send = () => t.throwsAsync(fetch(`${url}/api/v1/repos`, preferring('')), { instanceOf: TypeError });
  const hanging = Array.from({ length: 20 }, send);
  while ((simulation.faults.list()[0]?.applied ?? 0) < hanging.length) await setImmediate();
  simulation.stop();
  await Promise.all(hanging);
  await send();
  t.deepEqual(
    simulation.journal.entries({}, String).map((entry) => entry.simulated),
    Array.from({ length: 21 }, () => 'hang (fault-1)'),
  );
});

test('a delay comes before the failure that it is combined with', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const started = performance.now();
  const answer = await ask('/api/v1/repos', preferring('delay=60, code=500'));
  // Timers may fire a little early, and any time later.
  t.true(performance.now() - started >= 55);
  t.deepEqual([answer.status, answer.headers.get('preference-applied')], [500, 'code=500, delay=60']);
});

test('preferences of others, and code=200, change nothing', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const usual = await ask('/api/v1/repos', preferring(''));
  for (const prefer of ['return=minimal', 'respond-async, wait=10', 'code=200', '<string>']) {
    const answer = await ask('/api/v1/repos', preferring(prefer));
    t.deepEqual([answer.status, answer.text], [200, usual.text], prefer);
    t.false(answer.headers.has('preference-applied'));
    t.false(answer.headers.has('x-triage-simulated'));
  }
});

test('without controls, Prefer is ignored', async (t) => {
  const { ask } = await serve(t, [acme]);
  t.is((await ask('/api/v1/repos', preferring('code=503'))).status, 200);
});

test('a page of another origin may send Prefer, and read what was simulated', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const origin = 'http://localhost:5173';
  const preflight = await ask('/api/v1/repos', {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'prefer,x-triage-explain',
    },
  });
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /prefer.*x-triage-explain/);
  const { headers } = await ask('/api/v1/repos', preferring('code=503', { Origin: origin }));
  t.is(headers.get('access-control-allow-origin'), origin);
  t.regex(headers.get('access-control-expose-headers') ?? '', /Preference-Applied.*X-Triage-Simulated/);
});

test('what was simulated is in the access log', async (t) => {
  const { ask, accessed, untilAccessed } = await serve(t, [acme], { simulation: createSimulation() });
  await ask('/api/v1/repos', preferring('code=503'));
  await ask('/api/v1/repos', preferring(''));
  await untilAccessed(2);
  t.deepEqual(
    accessed.map(({ status, simulated }) => [status, simulated]),
    [
      [503, 'code=503 (Prefer)'],
      [200, undefined],
    ],
  );
});
