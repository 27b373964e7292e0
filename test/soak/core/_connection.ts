import { connect } from 'node:net';
import { type RawResponse, responseReader } from './_response-reader.js';

/** A response, or why there is none. */
export type Reply = RawResponse | Readonly<{ lost: string }>;

export const isLost = (reply: Reply): reply is Readonly<{ lost: string }> => 'lost' in reply;

/** A connection to a server on this machine. */
export type Connection = Readonly<{
  /** Sends a request as bytes. Resolves to its response; it never rejects. */
  send: (bytes: string | Buffer, method?: string) => Promise<Reply>;
  /** Sends bytes for which no response is expected. */
  write: (bytes: string | Buffer) => void;
  /** Sends nothing more, but still reads. */
  halfClose: () => void;
  close: () => void;
  isOpen: () => boolean;
  /** Resolves once the connection is closed. */
  closed: Promise<void>;
}>;

type Waiting = Readonly<{ method: string; resolve: (reply: Reply) => void }>;

/** Connects to a port. A connection on which nothing happens for `patience` milliseconds is given up. */
export const connectTo = (port: number, patience = 30_000): Connection => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay();
  const waiting: Waiting[] = [];
  let reason: string | null = null;
  const lose = (why: string): void => {
    reason ??= why;
    for (const { resolve } of waiting.splice(0)) resolve({ lost: reason });
  };
  const reader = responseReader(
    () => waiting[0]?.method === 'HEAD',
    (response) => waiting.shift()?.resolve(response),
    (problem) => {
      lose(problem);
      socket.destroy();
    },
  );
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      lose('the connection was closed');
      resolve();
    });
  });
  socket.on('data', reader.push);
  socket.once('end', () => {
    reader.end();
    lose('the connection was closed');
    socket.destroy();
  });
  socket.on('error', (error) => lose(`the connection was closed: ${error.message}`));
  socket.setTimeout(patience, () => {
    if (waiting.length === 0) return;
    lose(`no response within ${patience} ms`);
    socket.destroy();
  });
  return {
    send: (bytes, method = 'GET') =>
      new Promise((resolve) => {
        if (reason !== null) return resolve({ lost: reason });
        waiting.push({ method, resolve });
        socket.write(bytes);
      }),
    write: (bytes) => socket.write(bytes),
    halfClose: () => socket.end(),
    close: () => socket.destroy(),
    isOpen: () => reason === null,
    closed,
  };
};

/** A request by its parts, of which only the path has to be given. */
export type RequestParts = Readonly<{
  method?: string;
  path: string;
  session?: string | null;
  token?: string | null;
  /** The body, sent as JSON. */
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
}>;

/** The bytes of a sound request that accepts JSON. */
export const requestBytes = ({
  method = 'GET',
  path,
  session,
  token,
  json,
  headers = {},
}: RequestParts): string => {
  const body = json === undefined ? '' : JSON.stringify(json);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    ...(session ? [`Cookie: session=${session}`] : []),
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(json === undefined ? [] : ['Content-Type: application/json']),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** A client that keeps one connection, and opens the next when it was closed. */
export type Client = Readonly<{
  ask: (parts: RequestParts) => Promise<Reply>;
  close: () => void;
}>;

/** A client of the server on a port; `portOf` is asked anew for each connection. */
export const clientOf = (portOf: () => number, patience?: number): Client => {
  let connection: Connection | null = null;
  return {
    ask: async (parts) => {
      if (connection === null || !connection.isOpen()) connection = connectTo(portOf(), patience);
      const reply = await connection.send(requestBytes(parts), parts.method);
      const isOver = isLost(reply) || /\r\nconnection: close/i.test(reply.head);
      if (isOver) {
        connection.close();
        connection = null;
      }
      return reply;
    },
    close: () => connection?.close(),
  };
};

/** The body of a reply as JSON; undefined if it has none or is lost. */
export const jsonOf = (reply: Reply): unknown => {
  if (isLost(reply) || reply.body.length === 0) return undefined;
  try {
    return JSON.parse(reply.body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** The status of a reply; 0 if it is lost. */
export const statusOf = (reply: Reply): number => (isLost(reply) ? 0 : reply.status);
