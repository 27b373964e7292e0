import { createServer, type ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import { portOf } from '../_port.js';

type TestLife = Readonly<{ teardown: (stop: () => void) => unknown }>;

/** Writes the same again and again, for as long as the client reads. */
const writeForever = (to: Writable, chunk: Buffer): void => {
  const next = (): void => {
    to.write(chunk, (error) => {
      if (error === null || error === undefined) next();
    });
  };
  next();
};

/** What a server can do to fill the memory or the time of its clients. */
export const attacks = {
  'an endless body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    writeForever(response, Buffer.alloc(64 * 1024, 'a'));
  },
  'a body that decompresses without end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    response.once('close', () => gzip.destroy());
    writeForever(gzip, Buffer.alloc(1024 * 1024));
  },
  'a small body that decompresses to much': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(Buffer.alloc(300 * 1024 * 1024)));
  },
  'a body that never ends': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(drip));
  },
  'headers without end': (response) => {
    const { socket } = response;
    if (socket === null) return;
    socket.write('HTTP/1.1 200 OK\r\n');
    writeForever(socket, Buffer.from(`x-filler: ${'a'.repeat(1000)}\r\n`));
  },
} satisfies Readonly<Record<string, (response: ServerResponse) => void>>;

export type Attack = keyof typeof attacks;

/** A server that answers every request with an attack. */
export const hostileServer = async (test: TestLife, attack: Attack) => {
  const state = { requests: 0 };
  const server = createServer((_, response) => {
    state.requests += 1;
    response.on('error', () => {});
    attacks[attack](response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, state };
};
