import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as E from '#fp-ts/Either';
import type { Log } from '../common/log.js';
import type { IsAllowedOrigin } from '../common/own-hosts.js';
import { runAfter, runEvery } from '../common/timers.js';
import {
  answerMalformed,
  type Connection,
  type ConnectionLimits,
  cutOffStalled,
  limitConnections,
  oneRequestAtATime,
  refuseExpectation,
  reportMalformed,
  watchHandshakes,
} from './connections.js';

/** Where a server listens, and what its clients may take. */
type ListenSettings = Readonly<{
  host: string;
  port: number;
  limits: ConnectionLimits;
  log: Log;
  /** Whether pages of an origin may read responses, also to what was no request. Default: none. */
  isAllowedOrigin?: IsAllowedOrigin;
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
  /** Accepts no more requests, and closes all connections after `patience` milliseconds at most. */
  stop: (patience: number) => Promise<void>;
}>;

/**
 * How long an idle connection is kept open, in milliseconds: longer than proxies keep theirs (nginx: 60 s).
 * So a proxy closes them, and no request is sent on a connection that this server is closing.
 */
const keepAliveTimeout = 65_000;

/** How many milliseconds `stop` keeps idle connections open: a request may be on its way. */
const linger = 100;

/** How often Node looks for requests that take too long to arrive, in milliseconds. */
const connectionsCheckingInterval = 1000;

/** Serves requests on a host and port (0: any free port). `left`: the error of the system. */
export const listen = (
  serve: RequestListener,
  { host, port, limits, log, isAllowedOrigin = () => false, tls = null }: ListenSettings,
): Promise<E.Either<NodeJS.ErrnoException, Listening>> => {
  const connections = new Map<Duplex, Connection & Readonly<{ socket: Socket }>>();
  let isDraining = false;
  /** Has a listener work on one request of a connection at a time. */
  const inTurn = (answer: RequestListener): RequestListener => {
    const begin: RequestListener = (request, response) => {
      if (isDraining) response.setHeader('Connection', 'close');
      answer(request, response);
    };
    return (request, response) => connections.get(request.socket)?.take(request, response, begin);
  };
  const { headersTimeout, requestTimeout } = limits;
  const options = {
    // The application answers requests without a `Host` header, in JSON.
    requireHostHeader: false,
    keepAliveTimeout,
    headersTimeout,
    requestTimeout,
    connectionsCheckingInterval: Math.min(connectionsCheckingInterval, headersTimeout),
  };
  const server =
    tls === null
      ? createServer(options)
      : createTlsServer({ ...options, ...tls, handshakeTimeout: headersTimeout });
  // `close` would cut off requests and responses on their way: `stop` itself closes what stays idle.
  server.closeIdleConnections = () => {};
  const endHandshakes = tls === null ? null : watchHandshakes(server);
  limitConnections(server, limits.maxConnections, log);
  server.prependListener(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.set(socket, { ...oneRequestAtATime(socket), socket });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', inTurn(serve));
  server.on('checkExpectation', inTurn(refuseExpectation));
  server.on(
    'checkContinue',
    inTurn((request, response) => {
      response.writeContinue();
      serve(request, response);
    }),
  );
  const report = reportMalformed(log);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    report(error);
    const connection = connections.get(socket);
    const current = connection?.current() ?? null;
    // Nothing can be answered without encryption, nor in the middle of a response.
    const isIncomplete = current?.req.complete === false;
    if (connection === undefined || (isIncomplete && current.headersSent)) socket.destroy();
    else if (isIncomplete) answerMalformed(error, socket, isAllowedOrigin);
    else connection.whenIdle(() => answerMalformed(error, socket, isAllowedOrigin));
  });
  const stopCuttingOff = cutOffStalled(
    () => Array.from(connections.values(), ({ socket }) => socket),
    limits.stalledTimeout,
  );

  const drain = (): void => {
    isDraining = true;
    for (const connection of connections.values()) {
      const response = connection.current();
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
    }
  };

  const stop = async (patience: number): Promise<void> => {
    drain();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    endHandshakes?.();
    // Also closes what a response leaves open whose headers were sent before `drain`.
    const endSweep = runEvery(Math.min(linger, patience), () => {
      for (const [socket, { current }] of connections) if (current() === null) socket.destroy();
    });
    const cancelCutOff = runAfter(patience, () => {
      for (const socket of connections.keys()) socket.destroy();
    });
    await closed;
    cancelCutOff();
    endSweep();
    stopCuttingOff();
  };

  return new Promise((resolve) => {
    server.once('error', (error) => resolve(E.left(error)));
    server.listen(port, host, () => {
      const bound = server.address();
      const place = typeof bound === 'object' && bound !== null ? bound : { address: host, port };
      // Such as too many open files: the server goes on with the connections that it has.
      server.on('error', (cause) =>
        log('error', 'a connection could not be accepted', { cause: cause.message }),
      );
      resolve(E.right({ ...place, drain, connections: () => connections.size, stop }));
    });
  });
};
