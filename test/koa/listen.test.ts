import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { defaultConnectionLimits } from '../../src/koa/connections.js';
import { type Listening, listen } from '../../src/koa/listen.js';
import { selfSigned } from '../security/_self-signed.js';

const patience = 600_000;

const listening = async (
  t: ExecutionContext,
  serve: RequestListener,
  over: object = {},
): Promise<Listening> => {
  const settings = { host: '127.0.0.1', port: 0, limits: defaultConnectionLimits, log: () => {}, ...over };
  const server = await listen(serve, settings);
  if (E.isLeft(server)) throw server.left;
  t.teardown(() => server.right.stop(0));
  return server.right;
};

/** A server, and a connection to it that reads nothing until it is told to. */
const connected = async (
  t: ExecutionContext,
  serve: RequestListener,
): Promise<Readonly<{ server: Listening; socket: Socket }>> => {
  const server = await listening(t, serve);
  const socket = connect(server.port, '127.0.0.1').pause();
  t.teardown(() => socket.destroy());
  return { server, socket };
};

/** Everything that comes until the connection ends. */
const rest = async (socket: Socket): Promise<string> => {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
};

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const large = 'x'.repeat(16 * 2 ** 20);

/** Answers with more than a connection takes at once, and says when it has begun. */
const answersLarge = () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const serve: RequestListener = (_, response) => {
    response.end(large);
    begin();
  };
  return { begun, serve };
};

test('a response that a client reads late is sent whole, although the server is to stop', async (t) => {
  const { begun, serve } = answersLarge();
  const { server, socket } = await connected(t, serve);
  socket.write(get);
  await begun;
  const stopped = server.stop(patience);
  await sleep(300);
  t.true((await rest(socket)).endsWith(large));
  await stopped;
});

test('a waiting request whose body is malformed is answered in its turn, and not executed', async (t) => {
  const executed: unknown[] = [];
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { socket } = await connected(t, async (request, response) => {
    executed.push(request.method);
    await released;
    response.end('ok');
  });
  socket.write(`${get}POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n`);
  await sleep(300);
  release();
  const answers = await rest(socket);
  t.deepEqual(answers.match(/^HTTP\/1\.1 \d+|HTTP\/1\.1 \d+(?= )/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  t.deepEqual(executed, ['GET']);
});

test('a head that is too long, in many pieces, is answered before the connection ends', async (t) => {
  const { socket } = await connected(t, (_, response) => response.end());
  socket.write(`${get.slice(0, -2)}Long: `);
  for (let i = 0; i < 50; i += 1) socket.write('x'.repeat(4000));
  t.regex(await rest(socket), /^HTTP\/1\.1 431 /);
});

/** A server over TLS, what it logs, and a connection that does not shake hands. */
const overTls = async (t: ExecutionContext, headersTimeout = patience) => {
  const logged: unknown[] = [];
  const server = await listening(t, (_, response) => response.end(), {
    limits: { ...defaultConnectionLimits, headersTimeout, requestTimeout: patience },
    log: (...line: readonly unknown[]) => logged.push(line[2]),
    tls: selfSigned,
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { ...server, logged, socket };
};

test('bytes that are no TLS handshake, or a malformed request, end their connection and no other', async (t) => {
  const { port, logged, socket } = await overTls(t);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'close');
  t.deepEqual(logged, [{ cause: 'http to an https port: use https', count: 1 }]);
  const settings = { port, host: '127.0.0.1', servername: 'localhost', ca: selfSigned.cert };
  const encrypted = connectTls(settings).setEncoding('utf8');
  encrypted.write('nonsense\r\n\r\n');
  let received = '';
  for await (const text of encrypted) received += text;
  t.regex(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('a handshake that takes too long is cut off', async (t) => {
  // The test would wait forever for a server that does not.
  await once((await overTls(t, 200)).socket, 'close');
  t.pass();
});

test('the server stops without waiting for an unfinished TLS handshake', async (t) => {
  const { stop, socket } = await overTls(t);
  const closed = once(socket, 'close');
  await stop(patience);
  await closed;
  t.pass();
});
