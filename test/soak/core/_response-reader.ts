/** A response as it came over the wire, its framing removed. */
export type RawResponse = Readonly<{ status: number; head: string; body: Buffer }>;

/** How the body of a response is delimited. */
type Framing = Readonly<{ _tag: 'Length'; length: number }> | Readonly<{ _tag: 'Chunked' | 'UntilClose' }>;

/** The value of a header of a response; undefined if it has none. */
export const headerOf = ({ head }: Pick<RawResponse, 'head'>, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: *(.*)`, 'i').exec(head)?.[1];

const endOfHead = Buffer.from('\r\n\r\n');
const endOfLine = Buffer.from('\r\n');
const maxHead = 64 * 1024;

/**
 * Reads the responses of a connection from its bytes as they come. `onResponse` gets each final response;
 * `onProblem` whatever is not a well-formed response, after which nothing more is read.
 */
export const responseReader = (
  isNextToHead: () => boolean,
  onResponse: (response: RawResponse) => void,
  onProblem: (problem: string) => void,
) => {
  let chunks: Buffer[] = [];
  let length = 0;
  // Bytes that have to be there before it is worth looking again.
  let needed = 1;
  let head: string | null = null;
  let framing: Framing = { _tag: 'UntilClose' };
  let isBroken = false;
  let isToHead = false;

  const fail = (problem: string): null => {
    isBroken = true;
    onProblem(problem);
    return null;
  };
  const finish = (body: Buffer): void => {
    const text = head ?? '';
    head = null;
    const status = Number(text.slice(9, 12));
    // A server does not know that a request that it could not read was a HEAD, so a body may follow.
    if (isToHead && status >= 400 && /\r\nconnection: close/i.test(text)) isBroken = true;
    onResponse({ status, head: text, body });
  };

  /** Reads a head or a body. Returns how many bytes it took, or null if more have to come first. */
  const step = (buffer: Buffer): number | null => {
    if (isBroken) return null;
    if (head === null) {
      const end = buffer.indexOf(endOfHead);
      if (end === -1) return buffer.length > maxHead ? fail('a head without an end') : null;
      const text = buffer.toString('latin1', 0, end);
      if (!/^HTTP\/1\.1 \d{3} /.test(text))
        return fail(`no status line: ${JSON.stringify(text.slice(0, 200))}`);
      const status = Number(text.slice(9, 12));
      // 100 Continue and its kind announce a response; they are none.
      if (status >= 200) {
        isToHead = isNextToHead();
        const found = framingOf(text, status, isToHead);
        if (found === null) return fail(`no single framing: ${JSON.stringify(text)}`);
        framing = found;
        head = text;
      }
      return end + endOfHead.length;
    }
    switch (framing._tag) {
      case 'Length':
        if (buffer.length < framing.length) {
          needed = framing.length;
          return null;
        }
        finish(buffer.subarray(0, framing.length));
        return framing.length;
      case 'Chunked': {
        const unchunked = readChunks(buffer);
        if (unchunked === 'malformed') return fail('a malformed chunk');
        if (unchunked === null) return null;
        finish(unchunked.body);
        return unchunked.end;
      }
      case 'UntilClose':
        return null;
    }
  };

  return {
    push: (chunk: Buffer): void => {
      if (isBroken) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length < needed) return;
      needed = 1;
      let buffer = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      for (let used = step(buffer); used !== null; used = step(buffer)) buffer = buffer.subarray(used);
      chunks = [buffer];
      length = buffer.length;
    },
    /** Says that the other side has closed the connection. */
    end: (): void => {
      if (isBroken || (head === null && length === 0)) return;
      if (head !== null && framing._tag === 'UntilClose') finish(Buffer.concat(chunks));
      else onProblem('a response without an end');
    },
  };
};

const framingOf = (head: string, status: number, isToHead: boolean): Framing | null => {
  const lengths = Array.from(head.matchAll(/\r\ncontent-length: *(\d+)/gi), ([, digits]) => Number(digits));
  const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head);
  if (lengths.length > 1 || (isChunked && lengths.length > 0)) return null;
  if (isToHead || status === 204 || status === 304) return { _tag: 'Length', length: 0 };
  if (isChunked) return { _tag: 'Chunked' };
  const [length] = lengths;
  return length === undefined ? { _tag: 'UntilClose' } : { _tag: 'Length', length };
};

/** The body of a chunked response and where it ends; null if more has to come first. */
const readChunks = (buffer: Buffer): Readonly<{ body: Buffer; end: number }> | 'malformed' | null => {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = buffer.indexOf(endOfLine, at);
    if (end === -1) return null;
    const size = buffer.toString('latin1', at, end);
    if (!/^[0-9a-f]{1,8}$/i.test(size)) return 'malformed';
    const start = end + endOfLine.length;
    const length = Number.parseInt(size, 16);
    if (buffer.length < start + length + endOfLine.length) return null;
    if (buffer.indexOf(endOfLine, start + length) !== start + length) return 'malformed';
    if (length === 0) return { body: Buffer.concat(parts), end: start + endOfLine.length };
    parts.push(buffer.subarray(start, start + length));
    at = start + length + endOfLine.length;
  }
};
