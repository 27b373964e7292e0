import { connect, type Socket } from 'node:net';

/** A flood of requests that is going on. */
export type Flood = Readonly<{
  /** How often a connection has been opened. */
  connects: () => number;
  /** How many connections are open. */
  open: () => number;
  stop: () => void;
}>;

type FloodOptions = Readonly<{
  port: number;
  /** How many connections to open. */
  connections: number;
  /** The request that each connection sends over and over, as it goes over the wire. */
  request: string;
  /** How many bytes of requests each connection sends. */
  bytes: number;
  /** Whether a connection that was cut off is opened again; default: yes. */
  reopens?: boolean;
}>;

/** How long to wait before opening a connection that was cut off again, in milliseconds. */
const pause = 100;

/** How often to send one more request, in milliseconds: a client that reads nothing would miss the end. */
const interval = 1000;

/** Sends many requests at once on many connections and reads nothing of the responses. */
export const pipelinedFlood = ({
  port,
  connections,
  request,
  bytes,
  reopens = true,
}: FloodOptions): Flood => {
  const payload = request.repeat(Math.ceil(bytes / request.length));
  const sockets = new Set<Socket>();
  let connects = 0;
  let isOver = false;
  const open = (): void => {
    if (isOver) return;
    connects += 1;
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.pause().on('error', () => {});
    const more = setInterval(() => socket.write(request), interval).unref();
    socket.once('close', () => {
      clearInterval(more);
      sockets.delete(socket);
      if (reopens) setTimeout(open, pause).unref();
    });
    socket.write(payload);
  };
  for (let i = 0; i < connections; i += 1) open();
  return {
    connects: () => connects,
    open: () => sockets.size,
    stop: () => {
      isOver = true;
      for (const socket of sockets) socket.destroy();
    },
  };
};
