import type { ExecutionContext } from 'ava';
import test from 'ava';
import { type Exchange, startTriageApi } from '../../src/testing/server.js';
import { type Door, throughBothDoors } from './_doors.js';

const prs = '/api/v1/prs?limit=2';

/** Tests through both doors what is told of exchanges, in the order of their ends. */
const withExchanges = (
  behaviour: (t: ExecutionContext, door: Door, next: () => Promise<Exchange>) => Promise<void>,
) => {
  const exchanges: Exchange[] = [];
  const next = async (): Promise<Exchange> => {
    for (;;) {
      const exchange = exchanges.shift();
      if (exchange !== undefined) return exchange;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return throughBothDoors((t, door) => behaviour(t, door, next), {
    onExchange: (exchange) => exchanges.push(exchange),
  });
};

test(
  'an exchange has the request, and what was sent for it, once all is written',
  withExchanges(async (t, { controls, ask }, next) => {
    const answer = await ask(prs, { headers: { 'X-Attempt': '2' } });
    const whole = await next();
    t.like(whole, {
      request: { method: 'GET', url: prs },
      operation: 'listPrs',
      tenant: 'usr_acme',
      simulated: null,
      status: 200,
      body: await answer.text(),
      end: 'written',
    });
    const { headers } = whole.request;
    t.deepEqual([headers['x-attempt'], headers.cookie], ['2', `session=${controls.session}`]);
    t.deepEqual(
      [whole.headers.etag, whole.headers['content-type']],
      [answer.headers.get('etag'), 'application/json; charset=utf-8'],
    );
    await ask(prs, { headers: { 'If-None-Match': whole.headers.etag ?? '' } });
    t.like(await next(), { status: 304, body: '', end: 'written' });
    await ask(prs, { method: 'HEAD' });
    t.like(await next(), { status: 200, body: '', end: 'written' });
    await ask('/session', {}, null);
    t.like(await next(), { operation: 'GET /session', tenant: null, status: 401, end: 'written' });
  }),
);

test(
  'an exchange tells how much of a body was sent, and whether the connection was cut or dropped, or the client left',
  withExchanges(async (t, { controls, ask }, next) => {
    const text = await (await ask(prs)).text();
    await next();
    controls.faults.add({ kind: 'cut', times: 1 });
    await t.throwsAsync(async () => (await ask(prs)).text());
    const { body, ...cut } = await next();
    t.like(cut, { status: 200, simulated: 'cut (fault-1)', end: 'cut' });
    t.is(body, text.slice(0, Math.ceil(text.length / 2)));
    controls.faults.add({ kind: 'drop', times: 1 });
    await t.throwsAsync(ask(prs));
    t.like(await next(), {
      status: null,
      headers: {},
      body: '',
      simulated: 'drop (fault-2)',
      end: 'dropped',
    });

    const leave = async (kind: object, whenBegun: (answer: Promise<Response>) => Promise<unknown>) => {
      const { id } = controls.faults.add(kind);
      const client = new AbortController();
      const answer = ask(prs, { signal: client.signal });
      answer.catch(() => {});
      await whenBegun(answer);
      client.abort(new Error('left'));
      const ended = await next();
      controls.faults.remove(id);
      return ended;
    };
    const applied = async () => {
      while (controls.faults.list().at(-1)?.applied !== 1)
        await new Promise((resolve) => setImmediate(resolve));
    };
    t.like(await leave({ kind: 'hold' }, applied), { status: null, end: 'gone' });
    t.like(await leave({ delay: 60_000 }, applied), { status: null, end: 'gone' });
    const begun = await leave({ bytesPerSecond: 100 }, async (answer) =>
      (await answer).body?.getReader().read(),
    );
    t.like(begun, { status: 200, end: 'gone' });
    t.true(text.startsWith(begun.body) && begun.body.length < text.length);
  }),
);

test('what a server that stops still holds was held', async (t) => {
  const ends: string[] = [];
  const api = await startTriageApi({ onExchange: ({ end }) => ends.push(end) });
  api.faults.add({ kind: 'hold' });
  const failed = t.throwsAsync(api.fetch(prs));
  while (api.faults.list()[0]?.applied !== 1) await new Promise((resolve) => setImmediate(resolve));
  await api.stop();
  await failed;
  t.deepEqual(ends, ['held']);
});

test('of a server, an exchange has the headers for pages of other origins, too', async (t) => {
  const exchanges: Exchange[] = [];
  const api = await startTriageApi({ onExchange: (exchange) => exchanges.push(exchange) });
  t.teardown(api.stop);
  const Origin = 'http://localhost:5173';
  const { headers } = await api.fetch(prs, { headers: { Origin } });
  await api.stop();
  t.is(exchanges[0]?.headers['access-control-allow-origin'], Origin);
  t.is(exchanges[0]?.headers.vary, headers.get('vary') ?? '');
});
