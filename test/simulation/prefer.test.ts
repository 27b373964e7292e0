import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decode } from '../../src/contract/codecs/problem.js';
import { type AnyOperation, operations } from '../../src/contract/operations.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { serve } from '../_server.js';
import { acme } from '../koa/_world.js';
import { selfSigned } from '../security/_self-signed.js';

const preferring = (prefer: string, more: Readonly<Record<string, string>> = {}): RequestInit => ({
  headers: { Cookie: 'session=acme-cookie', Prefer: prefer, ...more },
});

const all: readonly AnyOperation[] = Object.values(operations);

test('each status that an operation lists has its body; others have an error that names them', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  for (const operation of all) {
    const path = operation.path.replace('{id}', 'd1');
    for (const status of [400, 401, 403, 404, 418, 429, 500, 502, 503, 504, 599]) {
      const answer = await ask(path, preferring(`code=${status}`));
      t.is(answer.status, status, `${operation.id} ${status}`);
      t.is(answer.headers.get('preference-applied'), `code=${status}`);
      t.is(answer.headers.get('x-triage-simulated'), `code=${status} (Prefer)`);
      t.is(answer.headers.has('www-authenticate'), status === 401);
      t.is(answer.headers.has('retry-after'), status === 429 || status === 503);
      t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
      const codec = operation.responses[status];
      if (codec === undefined)
        t.deepEqual(answer.body, { error: texts[status] }, `${operation.id} ${status}`);
      else t.true(E.isRight(decode(codec, answer.body)), answer.text);
    }
  }
});

/** What a status says that an operation does not list. */
const texts: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  404: 'Not found',
  418: 'Status 418',
  429: 'Too many requests',
  502: 'Bad gateway',
  504: 'Gateway timeout',
  599: 'Status 599',
};

test('a preference that is unknown or impossible is ignored, and named in a warning', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const warned = async (path: string, prefer: string) => {
    const { status, headers } = await ask(path, preferring(prefer));
    t.false(headers.has('x-triage-simulated'));
    return [status, headers.get('x-triage-warning')];
  };
  t.deepEqual(await warned('/api/v1/prs?x=1', 'code=1, delay="é"'), [
    200,
    'ignored unknown query parameters: "x"; ignored preference code=1: expected 200, a status from 400 to 599, or one from 300 with a location; ignored preference delay=%C3%A9: expected milliseconds from 0 to 60000',
  ]);
  const [, long] = await warned('/api/v1/prs', Array.from({ length: 200 }, (_, i) => `p${i}`).join());
  t.true(String(long).length < 600);
  const both = await ask('/api/v1/prs', preferring('code=502, dorp'));
  t.deepEqual(
    [both.status, both.headers.get('x-triage-warning')],
    [502, 'ignored unknown preference "dorp"; did you mean "drop"?'],
  );
  t.regex(String(simulation.journal.entries({}).at(-1)?.warning), /"dorp"/);
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

test('a dropped connection is reset before the response', async (t) => {
  const { url } = await serve(t, [acme], { simulation: createSimulation() });
  for (const method of ['GET', 'HEAD']) {
    const error = await t.throwsAsync(fetch(`${url}/api/v1/repos`, { ...preferring('drop'), method }));
    t.is(Object(error?.cause).code, 'ECONNRESET');
  }
});

test('over TLS, a dropped connection is closed before the response', async (t) => {
  const { url } = await serve(t, [acme], { simulation: createSimulation() }, { tls: selfSigned });
  const { port } = new URL(url);
  const socket = connectTls({
    port: Number(port),
    host: '127.0.0.1',
    servername: 'localhost',
    ca: selfSigned.cert,
  });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  // Some systems report the end as an error.
  socket.on('error', () => {});
  socket.write('GET /api/v1/repos HTTP/1.1\r\nHost: localhost\r\nPrefer: drop\r\n\r\n');
  await once(socket, 'close');
  t.is(received, '');
});

test('what hangs on purpose, and what would hang from then on, is cut when the server stops', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
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
    simulation.journal.entries({}).map((entry) => entry.simulated),
    Array.from({ length: 21 }, () => 'hang (fault-1)'),
  );
  t.false(warnings.includes('MaxListenersExceededWarning'));
});

test('a delay comes before the failure that it is combined with', async (t) => {
  const { ask } = await serve(t, [acme], { simulation: createSimulation() });
  const started = performance.now();
  const answer = await ask('/api/v1/repos', preferring('delay=60, code=500'));
  // Timers may fire a little early, and any time later.
  t.true(performance.now() - started >= 55);
  t.deepEqual([answer.status, answer.headers.get('preference-applied')], [500, 'code=500, delay=60']);
});

test('where nothing is simulated, a warning names what was preferred, and so does the journal', async (t) => {
  const simulation = createSimulation();
  const { ask } = await serve(t, [acme], { simulation });
  const ignored = 'ignored preference code=503: only operations of the API simulate one';
  const login: RequestInit = { method: 'POST', body: '{}' };
  const json = { 'Content-Type': 'application/json', Prefer: 'code=503' };
  const answers = [
    await ask('/session', preferring('code=503')),
    await ask('/login', { ...login, headers: json }),
    await ask('/login', preferring('code=503, respond-async', { Accept: 'text/html' })),
    await ask('/api/v1/nope', preferring('code=503')),
    await ask('/api/v1/prs', { ...preferring('code=503'), method: 'POST' }),
  ];
  t.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('x-triage-warning')]),
    [200, 400, 200, 404, 405].map((status) => [status, ignored]),
  );
  t.true(simulation.journal.entries({}).every(({ warning }) => warning === ignored));
  const several = await ask('/session', preferring('drop, delay=5, <a>'));
  t.is(
    several.headers.get('x-triage-warning'),
    ['<a>', 'drop', 'delay=5']
      .map((text) => `ignored preference ${text}: only operations of the API simulate one`)
      .join('; '),
  );
  for (const prefer of ['', 'return=minimal', 'respond-async, wait=10'])
    t.false((await ask('/session', preferring(prefer))).headers.has('x-triage-warning'), prefer);
});
