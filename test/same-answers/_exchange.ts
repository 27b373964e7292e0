import { connect } from 'node:net';

/** A response as it came: names of headers in their own case and order, the body without its framing. */
export type Received = Readonly<{
  statusLine: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
  /** Whether it came to its end, or was cut off. */
  isWhole: boolean;
}>;

/** All that came back for some bytes, and whether the server then still answered on the same connection. */
export type Reply = Readonly<{ received: readonly Received[]; rest: Buffer; afterwards: 'kept' | 'closed' }>;

/** What is sent on a connection of its own. Bytes are text in Latin-1. */
export type Sent = Readonly<{ port: number; bytes: string; endsThere: boolean }>;

/** The first value of a header; empty if there is none. */
export const headerOf = ({ headers }: Received, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** Milliseconds after which a connection counts as stuck, also on a busy machine. */
const patience = 120_000;

const probe = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';

/**
 * Sends bytes on a new connection and reads until the server closes it. When all responses are there, a
 * further request asks whether the connection was kept; its response is left out.
 */
export const exchange = ({ port, bytes, endsThere }: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const methods = [...bytes.matchAll(/^([A-Z]+) \S.* HTTP\/1\.[01]\r$/gm)].map((match) => match[1] ?? '');
    const expected = Math.max(1, methods.length);
    const socket = connect({ port, host: '127.0.0.1' });
    let data = Buffer.alloc(0);
    let isProbed = endsThere;
    socket.setTimeout(patience, () => {
      socket.destroy();
      reject(new Error(`no end of the answer to ${JSON.stringify(bytes.slice(0, 200))}`));
    });
    socket.on('data', (chunk) => {
      data = Buffer.concat([data, chunk]);
      if (isProbed) return;
      const finals = parse(data, methods, false).received.filter(isFinal);
      if (finals.length < expected) return;
      isProbed = true;
      socket.write(probe);
    });
    // A connection that is reset has ended, too; what came before counts.
    socket.on('error', () => {});
    socket.on('close', () => {
      const { received, rest } = parse(data, methods, true);
      const finals = received.filter(isFinal).length;
      const isKept = !endsThere && finals > expected;
      resolve({
        received: isKept ? received.slice(0, -1) : received,
        rest,
        afterwards: isKept ? 'kept' : 'closed',
      });
    });
    const payload = Buffer.from(bytes, 'latin1');
    if (endsThere) socket.end(payload);
    else socket.write(payload);
  });

const isFinal = ({ statusLine }: Received): boolean => !/ 1\d\d /.test(statusLine);

/** `isOver`: nothing follows, so what lacks its end was cut off, and a body may end with the connection. */
const parse = (
  data: Buffer,
  methods: readonly string[],
  isOver: boolean,
): Readonly<{ received: readonly Received[]; rest: Buffer }> => {
  const received: Received[] = [];
  let at = 0;
  for (let answered = 0; at < data.length; ) {
    const end = data.indexOf('\r\n\r\n', at);
    if (end === -1) break;
    const [statusLine = '', ...lines] = data.toString('latin1', at, end).split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
    const head: Received = { statusLine, headers, body: Buffer.alloc(0), isWhole: true };
    const hasBody = isFinal(head) && methods[answered] !== 'HEAD' && !/ (?:204|304) /.test(statusLine);
    const { body, next, isWhole } = hasBody ? bodyOf(head, data, end + 4) : { ...head, next: end + 4 };
    if (!isWhole && !isOver) break;
    const endsWithConnection = headerOf(head, 'content-length') + headerOf(head, 'transfer-encoding') === '';
    received.push({ ...head, body, isWhole: isWhole || endsWithConnection });
    if (isFinal(head)) answered += 1;
    at = next;
  }
  return { received, rest: data.subarray(at) };
};

const bodyOf = (head: Received, data: Buffer, start: number) => {
  const length = headerOf(head, 'content-length');
  if (length !== '') {
    const next = start + Number(length);
    return { body: data.subarray(start, next), next, isWhole: next <= data.length };
  }
  const chunks: Buffer[] = [];
  const cutOff = () => ({ body: Buffer.concat(chunks), next: data.length, isWhole: false });
  if (headerOf(head, 'transfer-encoding') === '') {
    chunks.push(data.subarray(start));
    return cutOff();
  }
  for (let at = start; ; ) {
    const line = data.indexOf('\r\n', at);
    const size = line === -1 ? Number.NaN : Number.parseInt(data.toString('latin1', at, line), 16);
    const next = line + 2 + size + 2;
    if (!(next <= data.length)) return cutOff();
    if (size === 0) return { body: Buffer.concat(chunks), next, isWhole: true };
    chunks.push(data.subarray(line + 2, line + 2 + size));
    at = next;
  }
};
