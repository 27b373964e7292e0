import { TLSSocket } from 'node:tls';

type Writing = Readonly<{
  writableLength: number;
  bytesWritten: number;
  resetAndDestroy: () => unknown;
}>;

/** Node cannot reset a connection over TLS. */
const close = (socket: Writing): unknown =>
  socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy();

/** How often connections are looked at within the time that a client may read nothing. */
const looks = 6;

/**
 * Closes connections whose clients have not read anything of a response for `timeout` milliseconds. Returns
 * what ends this. They are reset, so that the system does not keep what is still to be sent either. Node's
 * own time limit for inactivity would also count the time that it takes to respond.
 */
export const cutOffStalled = (sockets: () => Iterable<Writing>, timeout: number): (() => void) => {
  let stalled = new Map<Writing, Readonly<{ taken: number; since: number }>>();
  let now = 0;
  const look = (): void => {
    now += 1;
    const still: typeof stalled = new Map();
    for (const socket of sockets()) {
      if (socket.writableLength === 0) continue;
      const taken = socket.bytesWritten - socket.writableLength;
      const known = stalled.get(socket);
      const since = known?.taken === taken ? known.since : now;
      if (now - since >= looks) close(socket);
      else still.set(socket, { taken, since });
    }
    stalled = still;
  };
  const timer = setInterval(look, Math.ceil(timeout / looks)).unref();
  return () => clearInterval(timer);
};
