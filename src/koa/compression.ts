import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { ContentEncoding } from '../api/rendered.js';
import type { Compression } from '../api/response.js';

/** What a client makes of compressed bodies. */
type AcceptedEncoding = Readonly<{
  /** The encoding of ours that it prefers, `br` if it likes both; null: none, or the body as it is. */
  encoding: ContentEncoding | null;
  /** Whether it refuses a body as it is, however short. */
  refusesIdentity: boolean;
}>;

/** An element of `Accept-Encoding`: a coding with its weight, which has at most three decimals. */
const element = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** How much of a header is read, in characters. */
const maxLength = 1000;

/** Reads `Accept-Encoding` (RFC 9110, section 12.5.3): of a long header, what ends within the limit. */
export const readAcceptEncoding = (header: string): AcceptedEncoding => {
  const weights = new Map<string, number>();
  const end = header.length > maxLength ? Math.max(0, header.lastIndexOf(',', maxLength)) : header.length;
  for (const text of header.slice(0, end).toLowerCase().split(',')) {
    // What is not well-formed says nothing.
    const [, coding, weight = '1'] = element.exec(text.trim()) ?? [];
    if (coding !== undefined) weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight));
  }
  const others = weights.get('*');
  const weightOf = (encoding: ContentEncoding): number => weights.get(encoding) ?? others ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  const identity = weights.get('identity');
  // A client that names the body as it is and gives it more weight shall get it.
  const isTaken = weightOf(best) > 0 && weightOf(best) >= (identity ?? 0);
  return { encoding: isTaken ? best : null, refusesIdentity: (identity ?? others) === 0 };
};

/** From how many bytes on a body is compressed: a shorter one is sent in one packet anyway. */
const minCompressedLength = 1024;

/** How a body of so many bytes is sent to a client that accepts this; null: as it is. */
const encodingFor = (accepted: string | undefined, length: number): ContentEncoding | null => {
  if (accepted === undefined) return null;
  const { encoding, refusesIdentity } = readAcceptEncoding(accepted);
  return refusesIdentity || length >= minCompressedLength ? encoding : null;
};

/**
 * How well JSON and assets are compressed. At level 3, JSON of 10 kB takes about 0.05 ms and a fifth of its
 * length; the best levels take a hundred times as long for another tenth.
 */
const levels = { json: 3, asset: 6 } as const;

const options = (length: number, level: number) => ({
  level,
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});

/** A copy: what zlib returns is a part of a buffer that is longer than most bodies. */
const trimmed = (bytes: Buffer): Buffer => {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

const later = {
  br: promisify<Uint8Array, object, Buffer>(brotliCompress),
  gzip: promisify<Uint8Array, object, Buffer>(gzip),
} as const satisfies Readonly<Record<ContentEncoding, unknown>>;

/** Compresses a long text in another thread. Null: there is no memory for it. */
const compressLater = (content: Uint8Array, encoding: ContentEncoding, level: number) =>
  later[encoding](content, options(content.length, level)).then(trimmed, () => null);

/** Longer bodies are compressed in another thread, so that other requests need not wait. */
const maxLengthAtOnce = 64 * 1024;

/** Compresses the bodies of operations, and assets, which do not change while the process runs. */
export const compression: Compression = {
  encodingFor,
  json: (content, encoding) => {
    if (content.length > maxLengthAtOnce) return compressLater(content, encoding, levels.json);
    const atOnce = encoding === 'br' ? brotliCompressSync : gzipSync;
    return trimmed(atOnce(content, options(content.length, levels.json)));
  },
  asset: (content, encoding) => compressLater(content, encoding, levels.asset),
};
