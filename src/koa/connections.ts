import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { randomUuid } from '#platform';
import { responseHeaders } from '../api/headers.js';
import { renderError } from '../api/rendered.js';
import { chosenRequestId, requestIdHeader } from '../api/request.js';
import type { Log } from '../common/log.js';
import type { IsAllowedOrigin } from '../common/own-hosts.js';
import { runEvery, runLater } from '../common/timers.js';
import { ErrorBody } from '../contract/error-bodies.js';

/** What a client may take of the server's connections and time. Times are in milliseconds. */
export type ConnectionLimits = Readonly<{
  /** Connections at the same time. */
  maxConnections: number;
  /** How long the head of a request may take to arrive. */
  headersTimeout: number;
  /** How long a whole request may take to arrive. */
  requestTimeout: number;
  /** How long a client may read nothing of its response. */
  stalledTimeout: number;
}>;

/** The limits if none are given. */
export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: 16_384,
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  stalledTimeout: 30_000,
};

/**
 * Limits the number of connections: one too many is closed at once, before anything is read from it. The log
 * gets a line when that begins, and one with the count when a tenth of the connections has gone.
 */
export const limitConnections = (server: NetServer, maxConnections: number, log: Log): void => {
  let open = 0;
  let refused = 0;
  server.maxConnections = maxConnections;
  server.on('drop', () => {
    refused += 1;
    if (refused === 1) log('warn', 'too many connections: refusing new ones', { maxConnections });
  });
  const onClosed = (): void => {
    open -= 1;
    if (refused === 0 || open > maxConnections * 0.9) return;
    log('info', 'accepting connections again', { refused });
    refused = 0;
  };
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', onClosed);
  });
};

/** How many requests of a connection may wait for the one that is worked on. */
const maxWaiting = 32;

/**
 * How many names and values of headers they may have in all: as many as Node reads of one request. Without
 * this, heads of 12 kB in 2,000 headers take 130 kB each, and 400 connections end a process of 512 MB.
 */
const maxWaitingHeaders = 4000;

/** A connection on which one request at a time is worked on. */
export type Connection = Readonly<{
  /** The response to the request that is worked on, if any. */
  current: () => ServerResponse | null;
  /** Has a request answered when those before it have been. */
  take: (request: IncomingMessage, response: ServerResponse, answer: RequestListener) => void;
  /** Runs once everything that has been taken has been answered. */
  whenIdle: (work: () => void) => void;
}>;

/**
 * Works on one request of a connection at a time, however many its client sends at once (pipelining): Node
 * would have the server work on all of them, and keep all responses for a client that reads nothing. A
 * connection on which too many wait is destroyed; what waits is not executed, and sent again by clients.
 */
export const oneRequestAtATime = (socket: Socket): Connection => {
  let current: ServerResponse | null = null;
  let waiting: Readonly<{ request: IncomingMessage | null; work: () => void }>[] = [];
  const hasRoomFor = ({ rawHeaders }: IncomingMessage): boolean =>
    waiting.length < maxWaiting &&
    waiting.reduce((sum, { request }) => sum + (request?.rawHeaders.length ?? 0), rawHeaders.length) <=
      maxWaitingHeaders;
  const proceed = (): void => {
    current = null;
    // After the last response, as after `Connection: close`, nothing counts.
    if (socket.writable) waiting.shift()?.work();
    else waiting = [];
  };
  const start: Connection['take'] = (request, response, answer) => {
    current = response;
    response.on('close', proceed);
    answer(request, response);
  };
  return {
    current: () => current,
    take: (request, response, answer) => {
      if (current === null) start(request, response, answer);
      else if (!socket.destroyed && hasRoomFor(request))
        waiting.push({ request, work: () => start(request, response, answer) });
      else {
        waiting = [];
        socket.destroy();
        // Node keeps them until the connection is closed: 800 of each from the 64 kB that it reads at once.
        // With what they hold, 200 such connections take 470 MB at the peak; without it, 330.
        request.rawHeaders.length = 0;
        request.removeAllListeners();
        response.removeAllListeners();
      }
    },
    whenIdle: (work) => {
      if (current === null) return work();
      const last = waiting.at(-1);
      if (last?.request === null) return;
      // The rest of its body will never come.
      if (last?.request.complete === false) waiting.pop();
      waiting.push({ request: null, work });
    },
  };
};

/** Resets a connection, so that the other end takes what has arrived for incomplete. */
export const reset = (socket: Resettable): void => {
  // Node cannot reset a connection over TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
};

type Resettable = Readonly<{ resetAndDestroy: () => unknown }>;

type Writing = Readonly<Pick<Socket, 'writableLength' | 'bytesWritten'>> & Resettable;

/** How often connections are looked at within the time that a client may read nothing. */
const looks = 6;

/**
 * Closes connections whose clients have not read anything of a response for `timeout` milliseconds. Returns
 * what ends this. They are reset, so that the system does not keep what is still to be sent either. Node's
 * own time limit for inactivity would also count the time that it takes to respond.
 */
export const cutOffStalled = (sockets: () => Iterable<Writing>, timeout: number): (() => void) => {
  const stalled = new WeakMap<Writing, Readonly<{ taken: number; since: number }>>();
  let now = 0;
  const look = (): void => {
    now += 1;
    for (const socket of sockets()) {
      const taken = socket.bytesWritten - socket.writableLength;
      const last = stalled.get(socket);
      if (socket.writableLength === 0) stalled.delete(socket);
      else if (last?.taken !== taken) stalled.set(socket, { taken, since: now });
      else if (now - last.since < looks) continue;
      else reset(socket);
    }
  };
  return runEvery(Math.ceil(timeout / looks), look);
};

/** Returns what closes connections over TLS in the middle of a handshake, which would hold up the end. */
export const watchHandshakes = (server: NetServer): (() => void) => {
  const pending = new Map<string, Socket>();
  // A socket over TLS does not tell which one it encrypts, but has the same other end.
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.prependListener('connection', (socket: Socket) => {
    const key = keyOf(socket);
    pending.set(key, socket);
    socket.once('close', () => pending.delete(key));
  });
  server.prependListener('secureConnection', (socket: Socket) => pending.delete(keyOf(socket)));
  return () => {
    for (const socket of pending.values()) socket.destroy();
  };
};

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What Node says of bytes that are no request: `rawPacket` has what has arrived last. */
type ParseError = NodeJS.ErrnoException & Readonly<{ rawPacket?: Uint8Array }>;

const textOf = ({ rawPacket }: ParseError): string => new TextDecoder('latin1').decode(rawPacket);

/** Why bytes are no request, and what to do about it; null: a client that was slow, or has gone. */
const causeOf = (error: ParseError): string | null => {
  const { code = '', message } = error;
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'http to an https port: use https';
  if (!code.startsWith('HPE_')) return null;
  const text = textOf(error);
  if (text.startsWith('\x16\x03')) return 'https to an http port: use http, or start the server with --https';
  if (text.startsWith('PRI * HTTP/2')) return 'HTTP/2 without encryption: use HTTP/1.1';
  if (statuses[code] === 431)
    return 'its head is longer than 16 kB (431), perhaps by cookies of all apps on localhost: delete some, or use another name, such as app.localhost';
  return `malformed (400): ${message.replace(/^Parse Error: /, '')}`;
};

/** Returns what logs bytes that are no request: a line a second at most, which counts those before it. */
export const reportMalformed = (log: Log): ((error: ParseError) => void) => {
  let [isQuiet, unreported] = [false, 0];
  return (error) => {
    const cause = causeOf(error);
    if (cause === null) return;
    unreported += 1;
    if (isQuiet) return;
    log('warn', 'a client has sent no request that this port takes', { cause, count: unreported });
    [isQuiet, unreported] = [true, 0];
    runLater(1000, () => {
      isQuiet = false;
    });
  };
};

/** How long a client has to read the answer, in milliseconds, before its connection is closed for good. */
const malformedLinger = 2000;

const malformedHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  ...responseHeaders.malformed,
  'Content-Type': 'application/json; charset=utf-8',
  [requestIdHeader]: requestId,
});

/** Answers what never became a request (malformed, too large, too slow) in JSON, and hangs up. */
export const answerMalformed = (
  error: ParseError,
  socket: Duplex,
  isAllowedOrigin: IsAllowedOrigin,
): void => {
  const { code = '' } = error;
  // It has been answered; the rest of it still arrives.
  if (socket.writableEnded && code !== 'ECONNRESET') return;
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const { bytes, json } = renderError(ErrorBody, reason);
  const [, origin = ''] = /\r\norigin:[ \t]*(\S+)/i.exec(textOf(error)) ?? [];
  const headers = {
    ...malformedHeaders(randomUuid()),
    // Otherwise a page could not read why its request has failed.
    ...(isAllowedOrigin(origin) && {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    }),
    Connection: 'close',
    'Content-Length': bytes.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${json}`);
  // Closed at once, the connection could be reset before the client has read the answer.
  runLater(malformedLinger, () => socket.destroy());
};

/** Answers a request with an expectation that the server does not support (RFC 9110, section 10.1.1). */
export const refuseExpectation = ({ headers }: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(417, malformedHeaders(chosenRequestId(headers)));
  response.end(renderError(ErrorBody, 'Expectation Failed').json);
};
