import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type RunningServer, type ServerConfig, startServer } from '../../src/server/start-server.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { at, now } from '../_data.js';
import { announced, talk } from '../_raw.js';
import { aStorage } from '../_storage.js';

const config = (over: Partial<ServerConfig> = {}): ServerConfig => ({
  storage: aStorage([]),
  clock: () => at(now),
  elapsed: () => 0,
  ...over,
});

const started = async (over: Partial<ServerConfig> = {}): Promise<RunningServer> => {
  const server = await startServer(config(over))();
  if (E.isLeft(server)) throw new Error(server.left._tag);
  return server.right;
};

test('by default, a server listens on a free port of 127.0.0.1 and can answer', async (t) => {
  const { address, port, url, stop } = await started();
  t.deepEqual([address, url], ['127.0.0.1', `http://127.0.0.1:${port}`]);
  t.is((await fetch(`${url}/readyz`)).status, 200);
  t.is((await fetch(`${url}/api/v1/repos?unknown=1`)).status, 401);
  await stop(0);
  await t.throwsAsync(fetch(url));
});

test('stop closes the backend after the server, once', async (t) => {
  const calls: string[] = [];
  const { url, stop } = await started({ close: async () => void calls.push('closed') });
  t.is((await fetch(`${url}/healthz`)).status, 200);
  t.deepEqual(calls, []);
  await stop(0);
  t.deepEqual(calls, ['closed']);
});

test('stop does not wait for a request that hangs on purpose', async (t) => {
  const day = 24 * 60 * 60 * 1000;
  const simulation = createSimulation({ maxHang: day });
  simulation.faults.add({ kind: 'hang' });
  const { url, stop } = await started({ simulation });
  const cut = t.throwsAsync(fetch(`${url}/api/v1/repos`));
  while (simulation.faults.list()[0]?.applied === 0) await setImmediate();
  await stop(day);
  await cut;
});

test('stop does not wait for connections without a request', async (t) => {
  const { url, port, stop } = await started({ delay: () => 60_000 });
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1', () => half.write('GET / HTTP/1.1\r\nHo'));
  for (const socket of [silent, half]) socket.on('error', () => {});
  t.is((await fetch(`${url}/healthz`)).status, 200);
  await stop(24 * 60 * 60 * 1000);
  await t.throwsAsync(fetch(`${url}/healthz`));
});

test('a server that drains is not ready, and answers every request but keeps no connection', async (t) => {
  const { url, drain, stop } = await started();
  t.teardown(() => stop(0));
  const idle = talk(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(await idle.shows(/ok"}/), /Connection: keep-alive/);
  drain();
  const ready = await fetch(`${url}/readyz`);
  t.deepEqual(
    [ready.status, await ready.json()],
    [503, { error: 'Service unavailable', reason: 'the server is shutting down' }],
  );
  for (const path of ['/healthz', '/api/v1/repos']) {
    const { headers } = await fetch(`${url}${path}`);
    t.is(headers.get('connection'), 'close', path);
  }
  idle.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  t.regex(
    await idle.shows(/(?!)/),
    /Connection: keep-alive[\s\S]*ok"}HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*ok"}$/,
    'an idle connection is closed after its next response',
  );
});

test('a response in progress when the server drains closes its connection', async (t) => {
  const { url, drain, stop } = await started({ delay: () => 4000 });
  t.teardown(() => stop(0));
  const slow = talk(url, announced('/api/v1/repos', 'a-session'));
  await slow.shows(/100 Continue/);
  drain();
  t.regex(await slow.shows(/(?!)/), /HTTP\/1\.1 401[\s\S]*Connection: close/);
});

test('connections are kept open longer than proxies keep theirs', async (t) => {
  const { url, stop } = await started();
  t.teardown(() => stop(0));
  t.is((await fetch(`${url}/healthz`)).headers.get('keep-alive'), 'timeout=65');
});

test('stop waits for a request in flight, which gets its response', async (t) => {
  let arrive = (): void => {};
  let release = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const storage = aStorage([]);
  const { url, stop } = await started({
    storage: {
      ...storage,
      ready: () => async () => {
        arrive();
        await released;
        return storage.ready()();
      },
    },
  });
  const answer = fetch(`${url}/readyz`);
  await arrived;
  const stopped = stop(24 * 60 * 60 * 1000);
  release();
  t.is((await answer).status, 200);
  await stopped;
});

test('stop cuts off requests that outlast the grace period', async (t) => {
  const { url, stop } = await started({ delay: () => 60_000 });
  const slow = talk(url, announced('/api/v1/repos', 'a-session'));
  await slow.shows(/100 Continue/);
  await stop(10);
  t.notRegex(await slow.shows(/HTTP\/1\.1 401/), /HTTP\/1\.1 401/);
});

test('a port that is in use is an error, and closes the backend', async (t) => {
  const { port, stop } = await started();
  t.teardown(() => stop(0));
  const calls: string[] = [];
  const second = await startServer(config({ port, close: async () => void calls.push('closed') }))();
  t.true(E.isLeft(second) && second.left._tag === 'CannotListen' && second.left.cause.code === 'EADDRINUSE');
  t.deepEqual(calls, ['closed']);
});

test('new accounts start without rows unless there is demo data', async (t) => {
  const { url, stop } = await started();
  t.teardown(() => stop(0));
  const signUp = await fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Kim', email: 'kim@new.test', password: 'a-long-password' }),
  });
  t.is(signUp.status, 200);
  const session = signUp.headers.get('set-cookie')?.split(';')[0] ?? '';
  const repos = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: session } });
  t.deepEqual(await repos.json(), []);
});
