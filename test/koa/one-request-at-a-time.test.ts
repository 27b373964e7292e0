import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { raw } from '../_raw.js';
import { serve, type TestServer } from '../_server.js';
import { acme } from './_world.js';

const head = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const healthz = head('GET /healthz');
const repos = head('GET /api/v1/repos', 'Cookie: session=acme-cookie');
const last = head('GET /healthz', 'Connection: close');

const statusesIn = (answers: string): readonly string[] =>
  Array.from(answers.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);

const port = ({ url }: Pick<TestServer, 'url'>): number => Number(new URL(url).port);

test('a connection on which more than 32 requests wait is closed, and what waits is not executed', async (t) => {
  let reached = 0;
  const { url, untilAccessed } = await serve(t, [acme], {
    delay: () => {
      reached += 1;
      return 60_000;
    },
  });
  t.is(await raw(url, repos.repeat(34)), '');
  t.is(reached, 1);
  await untilAccessed(1);
});

/** A request whose head has so many headers, and about so many bytes. */
const withHeaders = (count: number, bytes: number): string => {
  const value = 'v'.repeat(Math.max(1, Math.floor(bytes / count) - 'x-100: \r\n'.length));
  return head('GET /healthz', ...Array.from({ length: count }, (_, i) => `x-${i}: ${value}`));
};

test('32 requests may wait on a connection, and are answered in order', async (t) => {
  const { url } = await serve(t, [acme]);
  const fat = withHeaders(50, 8192);
  t.is(statusesIn(await raw(url, `${repos}${fat.repeat(31)}${last}`)).length, 33, 'heads of 8 kB');
  const answers = await raw(url, `${`${healthz}${repos}`.repeat(16)}${last}${repos}nonsense\r\n\r\n`);
  t.is(statusesIn(answers).length, 33, 'what follows Connection: close is ignored');
  t.regex(
    answers.replaceAll(/HTTP[\s\S]*?\r\n\r\n/g, ''),
    /^(?:\{"status":"ok"\}\[.*?\}\]){16}\{"status":"ok"\}$/,
  );
});

test('a connection on which requests with more headers wait than one may have is closed', async (t) => {
  const { url, accessed, untilAccessed } = await serve(t, [acme], { delay: () => 60_000 });
  const fat = withHeaders(1900, 14_000);
  t.deepEqual(statusesIn(await raw(url, `${healthz}${fat}${last}`)), ['200', '200', '200']);
  t.deepEqual(statusesIn(await raw(url, `${repos}${fat}${fat}${last}`)), []);
  await untilAccessed(4);
  t.deepEqual(
    accessed.map(({ status }) => status),
    [200, 200, 200, 499],
  );
});

const form = '{"email":"a@b.test",\n\n"password":"x"}\r\n\r\n';
const conversation = [
  healthz,
  head('POST /login', 'Content-Type: application/json', `Content-Length: ${form.length}`) + form,
  head('HEAD /healthz'),
  head('POST /login', 'Content-Type: application/json', 'Transfer-Encoding: chunked') +
    `${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`,
  `${head('GET /api/v1/findings', 'Content-Length: 4')}\n\n\n\n`,
  head('GET /nope', 'Expect: 100-continue'),
  last,
].join('');
const expected = ['200', '401', '200', '401', '401', '100', '404', '200'];

for (const [title, size] of [
  ['all at once', conversation.length],
  ['byte by byte', 1],
] as const) {
  test(`requests of all kinds on a connection are answered alike when they arrive ${title}`, async (t) => {
    const { url } = await serve(t, [acme]);
    const socket = connect({ port: port({ url }), host: '127.0.0.1', noDelay: true });
    let answers = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answers += text;
    });
    const closed = once(socket, 'close');
    for (let start = 0; start < conversation.length; start += size) {
      socket.write(conversation.slice(start, start + size));
      await setImmediate();
    }
    await closed;
    t.deepEqual(statusesIn(answers), expected, answers);
  });
}

test('100 Continue is sent when it is the turn of its request, never inside another response', async (t) => {
  const { url } = await serve(t, [acme]);
  const answers = await raw(url, repos + head('GET /healthz', 'Expect: 100-continue') + last);
  t.regex(
    answers,
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*?\}\]HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[\s\S]*?ok"\}HTTP\/1\.1 200 OK/,
  );
});

test('a malformed request is answered after the valid ones before it, and ends the connection', async (t) => {
  const { url } = await serve(t, [acme]);
  const answers = await raw(url, `${repos}${healthz}nonsense\r\n\r\n${healthz}`);
  t.deepEqual(statusesIn(answers), ['200', '200', '400']);
  t.regex(answers, /\}\]HTTP[\s\S]*ok"\}HTTP[\s\S]*\{"error":"Bad Request"\}$/);
});

test('a body that is too long ends the connection: neither its rest nor what follows becomes a request', async (t) => {
  const { url } = await serve(t, [acme]);
  const tooLong = last.repeat(1000);
  const length = tooLong.length;
  for (const [framing, body] of [
    [`Content-Length: ${length}`, tooLong],
    ['Transfer-Encoding: chunked', `${length.toString(16)}\r\n${tooLong}\r\n0\r\n\r\n`],
    ['Transfer-Encoding: chunked', `ffff\r\n${'x'.repeat(20_000)}`],
    // A client that sends far too much still reads why it was refused.
    ['Content-Length: 20000000', 'x'.repeat(20_000_000)],
  ] as const) {
    const post = head('POST /login', 'Content-Type: application/json', framing);
    const answers = await raw(url, `${post}${body}${healthz}${last}`);
    t.deepEqual(statusesIn(answers), ['413']);
    t.regex(answers, /\r\nConnection: close\r\n/);
  }
});
