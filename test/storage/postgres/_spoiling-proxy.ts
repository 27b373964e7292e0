import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ExecutionContext } from 'ava';
import { portOf } from '../../_port.js';
import type { Random } from '../../_random.js';
import { selfSigned } from '../../security/_self-signed.js';

/** What a client gets instead of a message, and what its connection does then. */
type Spoiled = Readonly<{ bytes: Buffer; ending?: 'close' | 'silence' }>;

/** Spoils a message of PostgreSQL: a type of one byte, the length of the rest in four, the rest. */
type Spoil = (message: Buffer, random: Random) => Spoiled;

const changed = (message: Buffer, change: (copy: Buffer) => unknown): Spoiled => {
  const bytes = Buffer.from(message);
  change(bytes);
  return { bytes };
};

const part = (message: Buffer, { below }: Random): Buffer => message.subarray(0, below(message.length));

/** Where something other than the values of a row is: those can be changed to other right ones. */
const structureOf = (message: Buffer, { below, pick }: Random): number => {
  const isRow = message.toString('latin1', 0, 1) === 'D';
  return isRow ? pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) : below(message.length);
};

const types = 'RKSENATDCIZ123stnGHWcdVv!?\0ÿ';

/** Ways to spoil messages. */
export const spoils = {
  type: (message, { below }) =>
    changed(message, (copy) => copy.write(types[below(types.length)] ?? '', 0, 'latin1')),
  length: (message, { pick, below }) =>
    changed(message, (copy) => {
      const length = copy.readUInt32BE(1);
      copy.writeUInt32BE(pick([below(4), length - 1, length + 1, below(2 * length), below(2 ** 32)]), 1);
    }),
  bit: (message, random) =>
    changed(message, (copy) => {
      const at = structureOf(message, random);
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    }),
  short: (message, random) => {
    const bytes = message.subarray(0, 5 + random.below(message.length - 4));
    return changed(bytes, (copy) => copy.writeUInt32BE(copy.length - 1, 1));
  },
  gss: () => ({ bytes: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 7]) }),
  authentication: (_, { pick }) => ({
    bytes: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, pick([2, 6, 7, 9, 99])]),
  }),
  http: () => ({
    bytes: Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    ending: 'close',
  }),
  twice: (message) => ({ bytes: Buffer.concat([message, message]) }),
  lost: () => ({ bytes: Buffer.alloc(0) }),
  mechanism: () => ({ bytes: Buffer.from('R\0\0\0\x0e\0\0\0\x0aNONE\0\0') }),
  cut: (message, random) => ({ bytes: part(message, random), ending: 'close' }),
  silence: (message, random) => ({ bytes: part(message, random), ending: 'silence' }),
} as const satisfies Readonly<Record<string, Spoil>>;

/**
 * Stands between a test and the database at a URL. `spoil` spoils one message that comes from now on: the
 * one after so many others.
 */
export const spoilingProxyTo = async (t: ExecutionContext, url: string, random: Random, isTls = false) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let next: Readonly<{ spoil: Spoil; after: number }> | null = null;
  const send = (client: Socket, message: Buffer): void => {
    const { spoil, after } = next ?? { spoil: null, after: 0 };
    if (spoil !== null) next = after === 0 ? null : { spoil, after: after - 1 };
    const { bytes, ending }: Spoiled =
      spoil !== null && after === 0 ? spoil(message, random) : { bytes: message };
    client.write(bytes);
    if (ending === 'close') client.end();
    if (ending === 'silence') client.write = () => true;
  };
  const join = (client: Socket): void => {
    const upstream = connect(Number(target.port), target.hostname);
    let rest = Buffer.alloc(0);
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = 1 + rest.readUInt32BE(1);
        send(client, rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  };
  const server = createServer((socket) => {
    if (!isTls) return join(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      join(new TLSSocket(socket, { isServer: true, ...selfSigned }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const own = { hostname: '127.0.0.1', port: String(portOf(server)) };
  return {
    url: Object.assign(new URL(url), own, isTls ? { search: '?sslmode=no-verify' } : {}).href,
    /** How many ends of connections are open. */
    open: () => sockets.size,
    spoil: (spoil: Spoil, after = 0): void => {
      next = { spoil, after };
    },
  };
};
