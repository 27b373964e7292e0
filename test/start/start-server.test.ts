import { connect } from 'node:net';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { CallFailure, StorageCall } from '../../src/accounts/storage-calls.js';
import type { Ready } from '../../src/api/storage-port.js';
import {
  logStorageOutages,
  type RunningServer,
  readyWithin,
  type ServerConfig,
  startServer,
} from '../../src/start/start-server.js';
import { at, now } from '../_data.js';
import { announced, loginInTwo, talk } from '../_raw.js';
import { cookie } from '../_server.js';
import { aStorage } from '../_storage.js';
import { ann, json, sessionOf } from '../pages/_browserless.js';

const config = (over: Partial<ServerConfig> = {}): ServerConfig => ({
  storage: aStorage([]),
  clock: () => at(now),
  elapsed: () => 0,
  ...over,
});

const started = async (over: Partial<ServerConfig> = {}): Promise<RunningServer> => {
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

/** A log of failures, with a clock that the test sets. */
const watched = () => {
  const logged: unknown[] = [];
  const clock = { now: 0 };
  const observe = logStorageOutages(
    (level, event, details) => void logged.push([level, event, details]),
    () => clock.now,
  );
  const call = (failure: CallFailure | null, at: number, name: StorageCall = 'findings'): void => {
    clock.now = at;
    observe(name)(failure);
  };
  return { logged, call };
};

const down: CallFailure = { _tag: 'StorageUnavailable', cause: new Error('down') };
const recovered = (kind: string) => ['info', 'storage.recovered', { kind }];
const unavailable = [
  'warn',
  'storage.failed',
  { kind: 'reads', error: 'StorageUnavailable', call: 'findings', cause: 'Error: down' },
];

test('failures of the storage are a line a second at most, and a success ends them with another', (t) => {
  const { logged, call } = watched();
  call(null, 0);
  for (let at = 0; at < 3000; at += 10) call(down, at);
  t.deepEqual(logged, Array(3).fill(unavailable));
  call(null, 3000);
  call(null, 3001);
  t.deepEqual(logged.slice(3), [recovered('reads')]);
});

test('failures that come and go are two lines a second at most', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at < 2000; at += 10) call(at % 20 === 0 ? down : null, at);
  t.deepEqual(logged, [unavailable, recovered('reads'), unavailable, recovered('reads')]);
});

test('a read that succeeds does not end the failures of changes', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'StorageReadOnly', cause: 'standby' }, 0, 'signUp');
  call(null, 1, 'findings');
  t.is(logged.length, 1);
  call(null, 2, 'endSession');
  t.deepEqual(logged[1], recovered('changes'));
});

test('the question whether the storage is ready is neither a read nor a change', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'SchemaOlder', missing: ['0002_x'] }, 0, 'ready');
  call(null, 1, 'findings');
  call(null, 2, 'ready');
  const details = { kind: 'readiness', error: 'SchemaOlder', call: 'ready', missing: ['0002_x'] };
  t.deepEqual(logged, [['error', 'storage.failed', details], recovered('readiness')]);
});

test('a storage that is late counts as unavailable in time, and is not asked again before it answers', async (t) => {
  const asked: ((answer: Ready) => void)[] = [];
  const ready = readyWithin(1, { ready: () => new Promise((resolve) => asked.push(resolve)) });
  for (const answered of [...(await Promise.all([ready(), ready()])), await ready()])
    t.like(answered, { left: { _tag: 'StorageUnavailable' } });
  t.is(asked.length, 1);
  asked[0]?.(E.right(undefined));
  await new Promise(setImmediate);
  void ready();
  t.is(asked.length, 2);
});

test('/readyz does not wait for a storage that never answers', async (t) => {
  const storage = { ...aStorage([]), ready: () => new Promise<never>(() => {}) };
  const { url, stop } = await started({ storage, readyTimeout: 1 });
  t.teardown(() => stop(0));
  const answer = await fetch(`${url}/readyz`);
  const { reason } = Object(await answer.json());
  t.deepEqual([answer.status, reason], [503, 'the storage cannot be reached, or does not answer in time']);
});

test('a failed storage is logged as an error, and failures of single requests are left to their own entries', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'RecordBroken', where: 'table prs', problems: [] }, 0);
  call({ _tag: 'Unexpected', cause: 'thrown' }, 0);
  t.deepEqual(logged, []);
  call({ _tag: 'StorageFailed', cause: 'no such function' }, 0);
  const details = { kind: 'reads', error: 'StorageFailed', call: 'findings', cause: 'no such function' };
  t.deepEqual(logged, [['error', 'storage.failed', details]]);
});
