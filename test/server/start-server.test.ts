import { connect } from 'node:net';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  logStorageOutages,
  type RunningServer,
  type ServerConfig,
  startServer,
} from '../../src/server/start-server.js';
import type { CallFailure } from '../../src/storage/storage-calls.js';
import { at, now } from '../_data.js';
import { announced, loginInTwo, talk } from '../_raw.js';
import { cookie } from '../_server.js';
import { aStorage } from '../_storage.js';
import { ann, json, sessionOf } from '../web/_browserless.js';

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

/** A log of outages, with a clock that the test sets. */
const watched = () => {
  const logged: unknown[] = [];
  const clock = { now: 0 };
  const observe = logStorageOutages(
    (level, event, details) => void logged.push([level, event, details]),
    () => clock.now,
  );
  const call = (failure: CallFailure | null, at = clock.now): void => {
    clock.now = at;
    observe('findings')(failure);
  };
  return { logged, call };
};

const down: CallFailure = { _tag: 'StorageUnavailable', cause: new Error('down') };
const failed: CallFailure = { _tag: 'StorageFailed', cause: 'no such function' };
const busy: CallFailure = { _tag: 'StorageBusy', cause: 'no connection was free' };

const began = [
  'warn',
  'storage.outage.began',
  { kind: 'unavailable', call: 'findings', cause: 'Error: down' },
];

test('an outage is one line at its begin and one at its end, which counts the failures', (t) => {
  const { logged, call } = watched();
  call(null);
  for (let at = 100; at < 200; at += 1) call(down, at);
  t.deepEqual(logged, [began]);
  call(null, 1600);
  t.deepEqual(logged.slice(1), [
    ['info', 'storage.outage.ended', { kind: 'unavailable', ms: 1500, failures: 100 }],
  ]);
  call(null, 1700);
  t.is(logged.length, 2);
});

test('a long outage is mentioned once a minute', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at <= 150_000; at += 1000) call(down, at);
  t.deepEqual(logged, [
    began,
    ...[61, 121].map((failures) => [
      'warn',
      'storage.outage.continues',
      { kind: 'unavailable', call: 'findings', cause: 'Error: down', ms: (failures - 1) * 1000, failures },
    ]),
  ]);
});

test('failures that come and go are one outage, which ends after ten seconds without one', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at < 10_000; at += 100) {
    call(down, at);
    call(null, at + 50);
  }
  t.is(logged.length, 3, 'the first outage, and the begin of the second');
  call(null, 19_899);
  t.is(logged.length, 3);
  call(null, 19_900);
  t.deepEqual(logged[3], ['info', 'storage.outage.ended', { kind: 'unavailable', ms: 19_800, failures: 99 }]);
});

for (const [what, failures, expected] of [
  [
    'that refuses calls is an outage of its own, with the level error',
    [failed, down],
    [
      'error storage.outage.began',
      'warn storage.outage.began',
      ...Array(2).fill('info storage.outage.ended'),
    ],
  ],
  [
    'that is busy is no outage, but too much load',
    [busy, busy],
    ['warn storage.overload.began', 'info storage.overload.ended'],
  ],
] as const) {
  test(`a storage ${what}`, (t) => {
    const { logged, call } = watched();
    for (const failure of [...failures, null]) call(failure);
    t.deepEqual(
      logged.map((line) => Array.isArray(line) && line.slice(0, 2).join(' ')),
      expected,
    );
  });
}

test('a broken record, an older schema and what is thrown neither begin nor end an outage', (t) => {
  const { logged, call } = watched();
  const others: readonly CallFailure[] = [
    { _tag: 'RecordBroken', where: 'table prs', problems: [] },
    { _tag: 'SchemaOlder', missing: [] },
    { _tag: 'Unexpected', cause: 'thrown' },
  ];
  for (const other of others) call(other);
  t.deepEqual(logged, []);
  call(down);
  for (const other of others) call(other);
  t.deepEqual(logged, [began]);
});
