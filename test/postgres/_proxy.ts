import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ExecutionContext } from 'ava';
import { selfSigned } from '../security/_self-signed.js';

/** What a client gets in place of a message of the database, and what its connection does then. */
export type Spoil = (message: Buffer) => Readonly<{ bytes: Buffer; ending?: 'close' | 'silence' }>;

/** A way to a database that can fail as networks do. */
export type Proxy = Readonly<{
  /** The database's URL by this way. */
  url: string;
  /** Refuses connections, and cuts those there are. */
  down: () => Promise<void>;
  /** Lets through again, to the server of another database if its URL is given. */
  up: (url?: string) => Promise<void>;
  /** Takes connections and bytes, and hands on none of them: what a lost network looks like. */
  silent: () => void;
  /** Hands on the next statement that has these words, and cuts its connection when the answer comes. */
  cutAfter: (words: string) => void;
  /** Spoils one message of the database: the one after so many others. */
  spoil: (spoil: Spoil, after?: number) => void;
  /** How many ends of connections are open. */
  open: () => number;
}>;

/** Stands between a test and the database at a URL; with `tls`, it takes connections with TLS only. */
export const proxyTo = async (t: ExecutionContext, url: string, tls = false): Promise<Proxy> => {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let lastWords: string | null = null;
  let next: Readonly<{ spoil: Spoil; after: number }> | null = null;
  const send = (client: Socket, message: Buffer): void => {
    const { spoil, after } = next ?? { spoil: null, after: 0 };
    if (spoil !== null) next = after > 0 ? { spoil, after: after - 1 } : null;
    if (spoil === null || after > 0) return void client.write(message);
    const { bytes, ending } = spoil(message);
    client.write(bytes);
    if (ending === 'close') client.end();
    if (ending === 'silence') client.write = () => true;
  };
  const join = (client: Socket): void => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let rest = Buffer.alloc(0);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (from === client && lastWords !== null && bytes.includes(lastWords)) {
          lastWords = null;
          upstream.removeAllListeners('data').once('data', () => client.destroy());
        }
        if (isSilent) return;
        if (from === client) return void to.write(bytes);
        rest = Buffer.concat([rest, bytes]);
        // A message is a type of one byte, the length of the rest in four, and the rest.
        for (let end = 0; rest.length >= 5 && rest.length > rest.readUInt32BE(1); rest = rest.subarray(end)) {
          end = 1 + rest.readUInt32BE(1);
          send(client, rest.subarray(0, end));
        }
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  };
  const server = createServer((socket) => {
    if (!tls) return join(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      join(new TLSSocket(socket, { isServer: true, ...selfSigned }));
    });
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) => {
      // While it was not used, a connection of another program may have got the port.
      server.once('error', () => setTimeout(() => resolve(listen(port)), 50));
      server.listen(port, '127.0.0.1', () => {
        server.removeAllListeners('error');
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  const port = await listen(0);
  const down = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(down);
  const own = { hostname: '127.0.0.1', port: String(port) };
  return {
    url: Object.assign(new URL(tls ? `${url}?sslmode=no-verify` : url), own).href,
    down,
    up: async (other = target.href) => {
      target = new URL(other);
      isSilent = false;
      if (!server.listening) await listen(port);
    },
    silent: () => {
      isSilent = true;
    },
    cutAfter: (words) => {
      lastWords = words;
    },
    spoil: (spoil, after = 0) => {
      next = { spoil, after };
    },
    open: () => sockets.size,
  };
};
