import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type Connection, oneRequestAtATime } from './one-request-at-a-time.js';
import { takeTurns } from './take-turns.js';

/** How much is read from a connection at once, in bytes: the longest head that a request may have. */
const bufferSize = 16 * 1024;

/** How many requests that have waited are begun before others that arrive. */
const maxPerTurn = 16;

/**
 * Hands each connection to the HTTP server in such a way that it works on one request at a time. `onAccepted`
 * is called for each. The event of a server over TLS is `secureConnection`.
 *
 * What is read goes to one buffer for all connections (`onread`), because it is parsed at once. With the
 * event `data`, Node would allocate 64 KiB for each read, which costs more than all the rest of this. A
 * socket has to be constructed with `onread`, but a server does not do so; hence the connection gets another
 * socket, with the same handle. `_handle` and `handle` have had these names since the first versions of Node,
 * but are not documented: without them, and for streams other than sockets, the event is listened to.
 */
export const acceptConnections = (
  server: Server,
  onAccepted: (socket: Socket, connection: Connection) => void,
  event: 'connection' | 'secureConnection' = 'connection',
): void => {
  const serveHttp = server.listeners(event);
  const later = takeTurns(maxPerTurn);
  const buffer = Buffer.allocUnsafeSlow(bufferSize);
  server.removeAllListeners(event);
  server.on(event, (accepted: Socket) => {
    const handle: unknown = Reflect.get(accepted, '_handle');
    // Reading from the handle of a TLS connection would bypass its encryption.
    const hasHandle =
      accepted instanceof Socket &&
      !(accepted instanceof TLSSocket) &&
      typeof handle === 'object' &&
      handle !== null;
    let read = (_bytes: Buffer): boolean => true;
    const socket = hasHandle
      ? adopt(accepted, handle, buffer, (count) => read(buffer.subarray(0, count)))
      : accepted;
    for (const listener of serveHttp) listener.call(server, socket);
    const connection = oneRequestAtATime(socket, later);
    read = connection.read;
    // Whoever listens to this event gets what is read, instead of Node's native code.
    socket.on('data', (bytes: Buffer) => {
      if (!connection.read(bytes)) socket.pause();
    });
    onAccepted(socket, connection);
  });
};

/** A socket that takes over a connection and reads into a buffer. */
const adopt = (
  accepted: Socket,
  handle: object,
  buffer: Buffer,
  onRead: (count: number) => boolean,
): Socket => {
  Reflect.set(accepted, '_handle', null);
  const options = { handle, allowHalfOpen: true, onread: { buffer, callback: onRead } };
  const socket = new Socket(options);
  // The server counts the connections by the sockets that it has made.
  socket.once('close', () => accepted.destroy());
  return socket;
};
