import test from 'ava';
import { cutOffStalled } from '../../src/koa/connections.js';
import { raw, talk } from '../_raw.js';
import { serve } from '../_server.js';

const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

for (const [what, bytes] of [
  ['head', 'GET /healthz HTTP/1.1\r\nHost:'],
  ['body', 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
  ['head after answered requests', `${request}${request}GET`],
] as const) {
  test(`a ${what} that takes too long to arrive is answered with 408 in JSON, and the connection closed`, async (t) => {
    const { url } = await serve(
      t,
      [],
      {},
      { connectionLimits: { headersTimeout: 100, requestTimeout: 200 } },
    );
    t.regex(
      await raw(url, bytes),
      /HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*Content-Type: application\/json[\s\S]*\{"error":"Request Timeout"\}$/,
    );
  });
}

test('connections beyond the limit are closed at once, and the log says when that begins and ends', async (t) => {
  const { url, logged } = await serve(t, [], {}, { connectionLimits: { maxConnections: 2 } });
  const open = [talk(url, request), talk(url, request)];
  for (const { shows } of open) await shows(/ok"\}$/);
  for (let i = 0; i < 3; i += 1) t.is(await raw(url, request), '');
  t.deepEqual(logged, [
    { level: 'warn', event: 'too many connections: refusing new ones', facts: { maxConnections: 2 } },
  ]);
  for (const { hangUp } of open) hangUp();
  while (logged.length < 2) await raw(url, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  t.is(logged[1]?.event, 'accepting connections again');
});

test('a connection whose client reads nothing of its response is cut off, and no other', async (t) => {
  const cutOff: string[] = [];
  const aSocket = (name: string, writableLength: number) => ({
    name,
    writableLength,
    bytesWritten: 100,
    resetAndDestroy: () => cutOff.push(name),
  });
  const idle = aSocket('has nothing to take', 0);
  const stalled = aSocket('takes nothing', 10);
  const slow = aSocket('takes something', 10);
  await new Promise<void>((resolve) => {
    let looks = 0;
    const sockets = () => {
      looks += 1;
      slow.bytesWritten += 1;
      if (looks === 9) resolve();
      return cutOff.length === 0 ? [idle, stalled, slow] : [idle, slow];
    };
    t.teardown(cutOffStalled(sockets, 6));
  });
  t.deepEqual(cutOff, ['takes nothing']);
});
