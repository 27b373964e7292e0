import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Keeps the connections of a server over TLS whose handshakes are not finished, so that they do not hold up
 * its end, and closes those whose handshakes fail: nothing can be answered without encryption.
 */
export const watchHandshakes = (server: Server): Readonly<{ stop: () => void }> => {
  const pending = new Map<string, Socket>();
  // A socket over TLS does not tell which one it encrypts, but has the same other end.
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.prependListener('connection', (socket: Socket) => {
    const key = keyOf(socket);
    pending.set(key, socket);
    socket.once('close', () => pending.delete(key));
  });
  server.prependListener('secureConnection', (socket: Socket) => pending.delete(keyOf(socket)));
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error: unknown, socket: Duplex) => socket.destroy());
  return {
    stop: () => {
      for (const socket of pending.values()) socket.destroy();
    },
  };
};
