import { connect, type Socket } from 'node:net';
import { descriptorLimit } from '../core/_proc.js';

/** Connections that are open at the same time. */
export type Crowd = Readonly<{
  sockets: readonly Socket[];
  /** Those that the server has not closed. */
  open: () => number;
  /** How long each that the server has closed was open, in milliseconds. */
  lifetimes: () => readonly number[];
  leave: () => Promise<void>;
}>;

/** Files that this process and a server need besides the connections. */
const spare = 200;

/** Why so many connections cannot be opened on this machine; null if they can. */
export const tooMany = (count: number): string | null =>
  descriptorLimit() >= count + spare
    ? null
    : `needs ${count + spare} open files; the limit is ${descriptorLimit()}`;

/** At once, connections are refused that a server cannot take in time. */
const batch = 200;

/** Opens connections to a port, and does something with each. */
export const gather = async (
  port: number,
  count: number,
  greet: (socket: Socket, index: number) => void,
): Promise<Crowd> => {
  const sockets: Socket[] = [];
  const lifetimes: number[] = [];
  let open = 0;
  for (let first = 0; first < count; first += batch) {
    await Promise.all(
      Array.from({ length: Math.min(batch, count - first) }, (_, i) => {
        const socket = connect(port, '127.0.0.1');
        sockets.push(socket);
        const started = performance.now();
        let isConnected = false;
        socket.on('error', () => {});
        return new Promise<void>((resolve) => {
          socket.once('connect', () => {
            isConnected = true;
            open += 1;
            socket.resume();
            greet(socket, first + i);
            resolve();
          });
          socket.once('close', () => {
            if (isConnected) open -= 1;
            lifetimes.push(performance.now() - started);
            resolve();
          });
        });
      }),
    );
  }
  return {
    sockets,
    open: () => open,
    lifetimes: () => lifetimes,
    leave: async () => {
      await Promise.all(
        sockets.map((socket) =>
          socket.closed ? null : new Promise((resolve) => socket.once('close', resolve).destroy()),
        ),
      );
    },
  };
};
