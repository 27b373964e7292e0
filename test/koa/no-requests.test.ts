import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import { startTriageApi } from '../../src/testing/server.js';
import { raw } from '../_raw.js';

/** A server, and what it logs. */
const serve = async (t: ExecutionContext) => {
  const logged: unknown[] = [];
  const api = await startTriageApi({ log: (...line) => logged.push(line) });
  t.teardown(api.stop);
  return { url: api.url, port: Number(new URL(api.url).port), logged };
};

const line = (cause: string, count = 1) => [
  'warn',
  'a client has sent no request that this port takes',
  { cause, count },
];

test('https to an http port leaves a line that says so', async (t) => {
  const { port, logged } = await serve(t);
  const socket = connectTls({ port, host: '127.0.0.1' });
  await new Promise((resolve) => socket.on('error', resolve));
  t.deepEqual(logged, [line('https to an http port: use http, or start the server with --https')]);
});

test('HTTP/2 to a port of HTTP/1.1 leaves a line that says so', async (t) => {
  const { url, logged } = await serve(t);
  const session = connectHttp2(url);
  session.on('error', () => {});
  await new Promise((resolve) => session.request({ ':path': '/' }).on('error', resolve).on('close', resolve));
  session.destroy();
  t.deepEqual(logged, [line('HTTP/2 without encryption: use HTTP/1.1')]);
});

test('too long a head leaves a line that names the cookies, and its page may read the 431', async (t) => {
  const { url, logged } = await serve(t);
  const rest = `Cookie: a=${'b'.repeat(17_000)}\r\n\r\n`;
  const tooLong = (origin: string) =>
    raw(url, `GET /session HTTP/1.1\r\nHost: localhost\r\nOrigin: ${origin}\r\n${rest}`);
  const answer = await tooLong('http://localhost:5173');
  t.regex(answer, /^HTTP\/1\.1 431 /);
  t.regex(
    answer,
    /^Access-Control-Allow-Origin: http:\/\/localhost:5173\r\nAccess-Control-Allow-Credentials: true\r\nVary: Origin\r$/m,
  );
  t.notRegex(await tooLong('http://evil.test'), /Access-Control/);
  t.deepEqual(logged, [
    line(
      'its head is longer than 16 kB (431), perhaps by cookies of all apps on localhost: delete some, or use another name, such as app.localhost',
    ),
  ]);
});

test('malformed requests leave a line a second at most, which counts those before it', async (t) => {
  const { url, logged } = await serve(t);
  let sent = 0;
  for (; logged.length < 2; sent += 1)
    t.regex(await raw(url, 'GET / HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n'), /^HTTP\/1\.1 400 /);
  const malformed = (count: number) => line('malformed (400): Invalid header token', count);
  t.deepEqual(logged, [malformed(1), malformed(sent - 1)]);
});

test('a client that leaves in the middle of a request leaves no line', async (t) => {
  const { url, logged } = await serve(t);
  await raw(url, 'GET / HTTP/1.1\r\nHost: x\r\n', /^/);
  t.is((await fetch(`${url}/healthz`)).status, 200);
  t.deepEqual(logged, []);
});
