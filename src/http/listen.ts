import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type Koa from 'koa';
import { answerMalformed, refuseExpectation } from './answer-malformed.js';

/** A server that accepts requests. */
export type Listening = Readonly<{
  /** The address that it is bound to, as reported by the system. */
  address: string;
  /** The port that it listens on. */
  port: number;
  /**
   * Accepts no more requests, waits at most `patience` milliseconds for those in flight, then closes their
   * connections.
   */
  stop: (patience: number) => Promise<void>;
}>;

/** Serves an application on a host and port (0: any free port). `left`: the error of the system. */
export const listen =
  (app: Koa, host: string, port: number): TaskEither<NodeJS.ErrnoException, Listening> =>
  () => {
    // The application answers requests without a `Host` header, in JSON.
    const server = createServer({ requireHostHeader: false }, app.callback());
    server.on('clientError', answerMalformed);
    server.on('checkExpectation', refuseExpectation);

    /** Every connection, with the response in progress on it, if any. */
    const connections = new Map<Socket, ServerResponse | null>();
    let isStopping = false;
    server.on('connection', (socket: Socket) => {
      connections.set(socket, null);
      socket.once('close', () => connections.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      connections.set(socket, response);
      if (isStopping) response.shouldKeepAlive = false;
      response.once('close', () => {
        if (connections.has(socket)) connections.set(socket, null);
      });
    });

    const stop = async (patience: number): Promise<void> => {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [socket, response] of connections) {
        if (response === null) socket.destroy();
        else response.shouldKeepAlive = false;
      }
      const cutOff = setTimeout(() => server.closeAllConnections(), patience);
      // A response whose headers were sent before `stop` leaves its connection open.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearTimeout(cutOff);
      clearInterval(sweep);
    };

    return new Promise((resolve) => {
      server.once('error', (error) => resolve(E.left(error)));
      server.listen(port, host, () => {
        const bound = server.address();
        const found = typeof bound === 'object' && bound !== null ? bound : { address: host, port };
        resolve(E.right({ address: found.address, port: found.port, stop }));
      });
    });
  };
