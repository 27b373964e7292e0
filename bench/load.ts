import { connect, type Socket } from 'node:net';

/** A server, and what is requested of it: the path of each request is chosen anew. */
export type Target = Readonly<{ url: string; cookie: string; path: () => string }>;

const endOfHead = Buffer.from('\r\n\r\n');

/**
 * Sends requests over so many kept-alive connections, each as soon as the response to the one before has
 * arrived, and resolves to the number of responses per second. Rejects if a response is not a 200.
 *
 * It reads no more of a response than its length: on a machine with few processors, a client that did more
 * would be a part of what is measured.
 */
export const requestsPerSecond = async (
  target: Target,
  connections: number,
  seconds: number,
): Promise<number> => {
  const started = performance.now();
  const end = started + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: connections }, () => requestUntil(target, end)));
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000);
};

/** Sends one request after the other over one connection until a moment; resolves to their number. */
const requestUntil = ({ url, cookie, path }: Target, end: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const { host, hostname, port } = new URL(url);
    const tail = ` HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;
    let count = 0;
    const socket = connect(Number(port), hostname).setNoDelay();
    const send = (): unknown => socket.write(`GET ${path()}${tail}`);
    const onResponse = (): void => {
      count += 1;
      if (performance.now() < end) send();
      else socket.end(() => resolve(count));
    };
    readResponses(socket, onResponse, (problem) => {
      socket.destroy();
      reject(new Error(`${url}: ${problem}`));
    });
    socket.once('error', reject).once('connect', send);
  });

/** Calls `onResponse` at the end of each response with the status 200 and a known length. */
const readResponses = (
  socket: Socket,
  onResponse: () => void,
  onProblem: (problem: string) => void,
): void => {
  let head: Buffer = Buffer.alloc(0);
  // The bytes of the body that have not arrived yet; null while the head is being read.
  let missing: number | null = null;
  socket.on('data', (chunk) => {
    if (missing === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const headLength = head.indexOf(endOfHead) + endOfHead.length;
      if (headLength < endOfHead.length) return;
      const text = head.toString('latin1', 0, headLength);
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) return onProblem(text);
      missing = Number(length) - (head.length - headLength);
      head = Buffer.alloc(0);
    } else {
      missing -= chunk.length;
    }
    if (missing > 0) return;
    missing = null;
    onResponse();
  });
  socket.once('close', () => onProblem('the connection was closed'));
};
