import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endOfHead } from './end-of-head.js';
import type { Later } from './take-turns.js';

/** A connection on which one request at a time is worked on. */
export type Connection = Readonly<{
  /** The response that is being worked on or sent, if any. */
  response: () => ServerResponse | null;
  /** Whether so many bytes wait that no more are to be read. */
  isFull: () => boolean;
  /** To be called for each request as soon as its head has been parsed. */
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  /** To be called with what has been read. False: nothing more is to be read until the socket is resumed. */
  read: (bytes: Buffer) => boolean;
}>;

/**
 * From how many waiting bytes on nothing more is read. Until then it is, because a client that has left is
 * noticed only by reading.
 */
const maxHeld = 16 * 1024;

/**
 * Makes the HTTP server parse the next request of a connection only after it has handed the response to the
 * system; until then, the bytes wait. Otherwise, a client that sends many requests at once and reads nothing
 * has the server work on all of them and keep all responses.
 *
 * Node parses everything that it has read at once; no setting changes that. It does so in its listeners of
 * the socket's events `data` and `end`, which it adds when it emits `connection`, in all versions. They are
 * taken over here, and get the same bytes in pieces of at most one request. `later` runs what has waited.
 */
export const oneRequestAtATime = (socket: Socket, later: Later): Connection => {
  const parse = takeListeners(socket, 'data');
  const end = takeListeners(socket, 'end');
  let request: IncomingMessage | null = null;
  let response: ServerResponse | null = null;
  /** What has been read, but not been parsed. */
  let held: Buffer | null = null;
  /** How many bytes of the body are still to come, if the request says how long it is. */
  let bodyLeft = 0;
  let isEnding = false;
  /** Whether requests had to wait. Then the end of what the client sends does not mean that it has left. */
  let hasWaited = false;

  /** Parses bytes until a request is complete, and returns how many. */
  const parseOne = (bytes: Buffer): number => {
    let start = 0;
    while (start < bytes.length && (response === null || request?.complete === false)) {
      // After the last response, as after `Connection: close`, nothing counts.
      if (!socket.writable) return bytes.length;
      const stop = bodyLeft > 0 ? Math.min(start + bodyLeft, bytes.length) : endOfHead(bytes, start);
      bodyLeft = Math.max(0, bodyLeft - (stop - start));
      const piece = start === 0 && stop === bytes.length ? bytes : bytes.subarray(start, stop);
      // The buffer is used again, and the body of a request may be read later.
      parse(request?.complete === false ? Buffer.from(piece) : piece);
      start = stop;
    }
    return start;
  };

  const isFull = (): boolean => held !== null && held.length > maxHeld;

  const proceed = (): void => {
    // Node has freed the parser, and another connection may have it.
    if (socket.destroyed) return;
    if (held !== null) {
      const parsed = parseOne(held);
      held = parsed < held.length ? held.subarray(parsed) : null;
      // Node itself resumes the socket for each request that it has parsed.
      if (isFull()) socket.pause();
      else socket.resume();
    }
    if (isEnding && held === null && response === null) end();
  };

  socket.on('end', () => {
    isEnding = true;
    if (!hasWaited || (held === null && response === null)) end();
  });

  socket.once('close', () => {
    held = null;
  });

  function onResponseClosed(this: ServerResponse): void {
    if (response !== this) return;
    response = null;
    // Not at once: between two requests of this connection, others get their turn.
    if (held !== null || (isEnding && hasWaited)) later(proceed);
  }

  return {
    response: () => response,
    isFull,
    begin: (nextRequest, nextResponse) => {
      request = nextRequest;
      response = nextResponse;
      const { 'content-length': length = '0', 'transfer-encoding': coding } = nextRequest.headers;
      bodyLeft = coding === undefined ? Number(length) : 0;
      // It is emitted once; `once` would make an object for it.
      nextResponse.on('close', onResponseClosed);
    },
    read: (bytes) => {
      if (held !== null) held = Buffer.concat([held, bytes]);
      else {
        const parsed = parseOne(bytes);
        if (parsed === bytes.length) return true;
        held = Buffer.from(bytes.subarray(parsed));
        hasWaited = true;
      }
      return !isFull();
    },
  };
};

const takeListeners = (socket: Socket, event: 'data' | 'end'): ((bytes?: Buffer) => void) => {
  const [first, ...others] = socket.listeners(event);
  socket.removeAllListeners(event);
  return (bytes) => {
    first?.call(socket, bytes);
    for (const listener of others) listener.call(socket, bytes);
  };
};
