import { connect } from 'node:net';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { watchedStorage } from '../../src/accounts/storage-calls.js';
import { type ServerConfig, startServer } from '../../src/start/start-server.js';
import { at, now } from '../_data.js';
import { announced, loginInTwo, talk } from '../_raw.js';
import { cookie, testAccounts } from '../_server.js';
import { aStorage } from '../_storage.js';
import { ann, json, sessionOf } from '../pages/_browserless.js';

const config = (over: Partial<ServerConfig> = {}): ServerConfig => ({
  storage: aStorage([]),
  clock: () => at(now),
  elapsed: () => 0,
  accounts: testAccounts,
  ...over,
});

const started = async (over: Partial<ServerConfig> = {}) => {
  const server = await startServer(config(over));
  if (E.isLeft(server)) throw new Error(server.left.message);
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
  const { url, drain, stop } = await started();
  t.teardown(() => stop(0));
  const { head, body } = loginInTwo('nobody@acme.test', 'a-password');
  const login = talk(url, head);
  await login.shows(/100 Continue/);
  drain();
  login.send(body);
  t.regex(await login.shows(/(?!)/), /HTTP\/1\.1 401[\s\S]*Connection: close/);
});

test('connections are kept open longer than proxies keep theirs', async (t) => {
  const { url, stop } = await started();
  t.teardown(() => stop(0));
  t.is((await fetch(`${url}/healthz`)).headers.get('keep-alive'), 'timeout=65');
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
  const second = await startServer(config({ port, close: async () => void calls.push('closed') }));
  t.true(E.isLeft(second) && second.left.code === 'EADDRINUSE');
  t.deepEqual(calls, ['closed']);
});

test('new accounts start without rows unless there is demo data', async (t) => {
  const { url, stop } = await started();
  t.teardown(() => stop(0));
  const signUp = await fetch(`${url}/signup`, json(ann));
  t.is(signUp.status, 200);
  const repos = await fetch(`${url}/api/v1/repos`, cookie(sessionOf(signUp)));
  t.deepEqual(await repos.json(), []);
});

test('/readyz does not wait for a storage that never answers', async (t) => {
  const late = { ...aStorage([]), ready: () => new Promise<never>(() => {}) };
  const storage = watchedStorage(late, { log: () => {}, elapsed: () => 0, readyTimeout: 1 });
  const { url, stop } = await started({ storage });
  t.teardown(() => stop(0));
  const answer = await fetch(`${url}/readyz`);
  const { reason } = Object(await answer.json());
  t.deepEqual([answer.status, reason], [503, 'the storage cannot be reached, or does not answer in time']);
});
