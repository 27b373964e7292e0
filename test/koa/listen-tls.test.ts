import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { defaultConnectionLimits } from '../../src/koa/connections.js';
import { listen } from '../../src/koa/listen.js';
import { selfSigned } from '../security/_self-signed.js';

const hour = 60 * 60 * 1000;

/** A server over TLS that counts the requests that it works on at the same time, and what it logs. */
const serve = async (t: ExecutionContext, headersTimeout = hour) => {
  const state = { busy: 0, most: 0 };
  const logged: unknown[] = [];
  const listening = await listen(
    (request, response) => {
      state.busy += 1;
      state.most = Math.max(state.most, state.busy);
      request.resume();
      setImmediate(() => {
        state.busy -= 1;
        response.end(`${request.method} ${request.url}\n`);
      });
    },
    {
      host: '127.0.0.1',
      port: 0,
      limits: { ...defaultConnectionLimits, headersTimeout, requestTimeout: hour },
      log: (...line) => logged.push(line[2]),
      tls: selfSigned,
    },
  );
  if (E.isLeft(listening)) throw listening.left;
  const { port, stop } = listening.right;
  t.teardown(() => stop(0));
  return { port, stop, state, logged };
};

/** Sends bytes over TLS; resolves to what has come until the server ends the connection. */
const exchange = async (port: number, bytes: string): Promise<string> => {
  const settings = { port, host: '127.0.0.1', servername: 'localhost', ca: selfSigned.cert };
  const socket = connectTls(settings).setEncoding('utf8');
  socket.write(bytes);
  let received = '';
  for await (const text of socket) received += text;
  return received;
};

test('bytes that are no TLS handshake, or a malformed request, end their connection and no other', async (t) => {
  const { port, logged } = await serve(t);
  const plain = connect(port, '127.0.0.1');
  plain.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(plain, 'close');
  t.deepEqual(logged, [{ cause: 'http to an https port: use https', count: 1 }]);
  t.regex(await exchange(port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('a handshake that takes too long is cut off', async (t) => {
  const { port } = await serve(t, 200);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  // The test would wait forever for a server that does not.
  await once(socket, 'close');
  t.pass();
});

test('the server stops without waiting for an unfinished TLS handshake', async (t) => {
  const { port, stop } = await serve(t);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  await stop(hour);
  await closed;
  t.pass();
});
