import { createServer, IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { Log } from '../common/log.js';
import { acceptConnections } from './accept-connections.js';
import {
  answerMalformed,
  type ConnectionLimits,
  cutOffStalled,
  limitConnections,
  refuseExpectation,
  watchHandshakes,
} from './connections.js';
import type { Connection } from './one-request-at-a-time.js';

/** Where a server listens, and what its clients may take. */
export type ListenSettings = Readonly<{
  host: string;
  port: number;
  limits: ConnectionLimits;
  log: Log;
  /** What encrypts the connections; left out or null: nothing does. */
  tls?: TlsCertificate | null;
}>;

/** A certificate, with those of its issuers, and its private key, both in PEM. */
export type TlsCertificate = Readonly<{ cert: string; key: string }>;

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

/** How often Node looks for requests that take too long to arrive, in milliseconds. */
const connectionsCheckingInterval = 1000;

/** Serves requests on a host and port (0: any free port). `left`: the error of the system. */
export const listen =
  (
    serve: RequestListener,
    { host, port, limits, log, tls = null }: ListenSettings,
  ): TaskEither<NodeJS.ErrnoException, Listening> =>
  () => {
    const connections = new Map<Socket, Connection>();
    /** A request that does not make Node read from its connection while bytes wait there. */
    class Request extends IncomingMessage {
      override _read(size: number): void {
        if (connections.get(this.socket)?.isFull() !== true) super._read(size);
      }
    }
    let isDraining = false;
    const begin = (request: IncomingMessage, response: ServerResponse): void => {
      connections.get(request.socket)?.begin(request, response);
      if (isDraining) response.shouldKeepAlive = false;
    };
    const { headersTimeout, requestTimeout } = limits;
    const options = {
      // The application answers requests without a `Host` header, in JSON.
      requireHostHeader: false,
      keepAliveTimeout,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(connectionsCheckingInterval, headersTimeout),
      IncomingMessage: Request,
    };
    const onRequest: RequestListener = (request, response) => {
      begin(request, response);
      serve(request, response);
    };
    const server =
      tls === null
        ? createServer(options, onRequest)
        : createTlsServer({ ...options, ...tls, handshakeTimeout: headersTimeout }, onRequest);
    const handshakes = tls === null ? null : watchHandshakes(server);
    const answer = answerMalformed();
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
      const response = socket instanceof Socket ? connections.get(socket)?.response() : null;
      answer(error, socket, response?.headersSent === true);
    });
    server.on('checkExpectation', refuseExpectation());
    const { onClosed } = limitConnections(server, limits.maxConnections, () => connections.size, log);
    const stopCuttingOff = cutOffStalled(() => connections.keys(), limits.stalledTimeout);

    acceptConnections(
      server,
      (socket, connection) => {
        connections.set(socket, connection);
        socket.once('close', () => {
          connections.delete(socket);
          onClosed();
        });
      },
      tls === null ? 'connection' : 'secureConnection',
    );
    server.prependListener('checkExpectation', begin);

    const drain = (): void => {
      isDraining = true;
      for (const connection of connections.values()) {
        const response = connection.response();
        if (response !== null) response.shouldKeepAlive = false;
      }
    };

    const stop = async (patience: number): Promise<void> => {
      const wasAnnounced = isDraining;
      drain();
      // Unlike `close` of an HTTP server, this leaves idle connections open.
      handshakes?.stop();
      const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
      const cutOff = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy();
      }, patience);
      // Also closes what a response leaves open whose headers were sent before `drain`.
      const closeIdle = (): void => {
        for (const [socket, { response }] of connections) if (response() === null) socket.destroy();
      };
      if (!wasAnnounced) closeIdle();
      const sweep = setInterval(closeIdle, Math.min(linger, patience));
      await closed;
      clearTimeout(cutOff);
      clearInterval(sweep);
      stopCuttingOff();
      // Ends the server's own timers.
      server.close();
    };

    return new Promise((resolve) => {
      server.once('error', (error) => resolve(E.left(error)));
      server.listen(port, host, () => {
        const bound = server.address();
        const found = typeof bound === 'object' && bound !== null ? bound : { address: host, port };
        // Such as too many open files: the server goes on with the connections that it has.
        server.on('error', (cause) =>
          log('error', 'a connection could not be accepted', { cause: cause.message }),
        );
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
