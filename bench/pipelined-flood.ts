import { connect, type Socket } from 'node:net';

type FloodOptions = Readonly<{
  port: number;
  /** How many connections to open. */
  connections: number;
  /** The request that each connection sends over and over, as it goes over the wire. */
  request: string;
  /** How many bytes of requests each connection sends at once. */
  bytes: number;
}>;

/** How often to send one more request, in milliseconds: a client that reads nothing would miss the end. */
const interval = 1000;

/** Sends many requests at once on many connections and reads nothing of the responses. */
export const pipelinedFlood = ({ port, connections, request, bytes }: FloodOptions) => {
  const payload = request.repeat(Math.ceil(bytes / request.length));
  const sockets = new Set<Socket>();
  for (let i = 0; i < connections; i += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.pause().on('error', () => {});
    const more = setInterval(() => socket.write(request), interval).unref();
    socket.once('close', () => {
      clearInterval(more);
      sockets.delete(socket);
    });
    socket.write(payload);
  }
  return {
    /** How many connections are open. */
    open: (): number => sockets.size,
    stop: (): void => {
      for (const socket of sockets) socket.destroy();
    },
  };
};
