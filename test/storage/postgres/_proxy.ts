import { connect, createServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';

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
}>;

/** Stands between a test and the database at a URL. */
export const proxyTo = async (t: ExecutionContext, url: string): Promise<Proxy> => {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let lastWords: string | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
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
        if (!isSilent) to.write(bytes);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
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
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
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
  };
};
