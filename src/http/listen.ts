import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
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
  /** From now on, closes each connection after the next response. */
  drain: () => void;
  /** How many connections are open. */
  connections: () => number;
  /**
   * Accepts no more requests, waits at most `patience` milliseconds for those in flight, then closes their
   * connections.
   */
  stop: (patience: number) => Promise<void>;
}>;

/**
 * How long an idle connection is kept open, in milliseconds: longer than proxies keep theirs (nginx: 60 s).
 * So a proxy closes them, and no request is sent on a connection that this server is closing.
 */
const keepAliveTimeout = 65_000;

/**
 * How long `stop` after `drain` keeps idle connections open, in milliseconds: a request may be on its way,
 * and would be lost.
 */
const linger = 100;

/** Serves an application on a host and port (0: any free port). `left`: the error of the system. */
export const listen =
  (app: Koa, host: string, port: number): TaskEither<NodeJS.ErrnoException, Listening> =>
  () => {
    // The application answers requests without a `Host` header, in JSON.
    const server = createServer({ requireHostHeader: false, keepAliveTimeout }, app.callback());
    server.on('clientError', answerMalformed);
    server.on('checkExpectation', refuseExpectation);

    /** Every connection, with the response in progress on it, if any. */
    const connections = new Map<Socket, ServerResponse | null>();
    let isDraining = false;
    server.on('connection', (socket: Socket) => {
      connections.set(socket, null);
      socket.once('close', () => connections.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      connections.set(socket, response);
      if (isDraining) response.shouldKeepAlive = false;
      response.once('close', () => {
        if (connections.has(socket)) connections.set(socket, null);
      });
    });

    const drain = (): void => {
      isDraining = true;
      for (const response of connections.values()) if (response !== null) response.shouldKeepAlive = false;
    };

    const stop = async (patience: number): Promise<void> => {
      const wasAnnounced = isDraining;
      drain();
      // Unlike `close` of an HTTP server, this leaves idle connections open.
      const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
      const cutOff = setTimeout(() => server.closeAllConnections(), patience);
      // Also closes what a response leaves open whose headers were sent before `drain`.
      const closeIdle = (): void => {
        for (const [socket, response] of connections) if (response === null) socket.destroy();
      };
      if (!wasAnnounced) closeIdle();
      const sweep = setInterval(closeIdle, Math.min(linger, patience));
      await closed;
      clearTimeout(cutOff);
      clearInterval(sweep);
      // Ends the server's own timers.
      server.close();
    };

    return new Promise((resolve) => {
      server.once('error', (error) => resolve(E.left(error)));
      server.listen(port, host, () => {
        const bound = server.address();
        const found = typeof bound === 'object' && bound !== null ? bound : { address: host, port };
        resolve(
          E.right({
            address: found.address,
            port: found.port,
            drain,
            connections: () => connections.size,
            stop,
          }),
        );
      });
    });
  };
