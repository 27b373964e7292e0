import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { ContentEncoding } from '../protocol/accepted-encoding.js';

/** How hard to try: `once` for a body that is compressed each time, `again` for one that is kept. */
export type Effort = 'once' | 'again';

/** The levels at which a body of 10 kB takes 0.05 ms, or 0.15 ms and a sixth less space. */
const levels: Readonly<Record<Effort, Readonly<Record<ContentEncoding, number>>>> = {
  once: { br: 1, gzip: 1 },
  again: { br: 4, gzip: 6 },
};

const brotliOptions = (length: number, effort: Effort) => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: levels[effort].br,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});

const gzipOptions = (effort: Effort) => ({ level: levels[effort].gzip });

/**
 * The bytes with memory of their own: what zlib returns is a part of a buffer that is longer than most bodies.
 */
const trimmed = (bytes: Buffer, effort: Effort): Buffer => {
  if (effort === 'once') return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

/** Compresses a short body, while everything else waits. */
export const compressNow = (content: Uint8Array, encoding: ContentEncoding, effort: Effort): Buffer =>
  trimmed(
    encoding === 'br'
      ? brotliCompressSync(content, brotliOptions(content.length, effort))
      : gzipSync(content, gzipOptions(effort)),
    effort,
  );

const brotliLater = promisify<Uint8Array, ReturnType<typeof brotliOptions>, Buffer>(brotliCompress);
const gzipLater = promisify<Uint8Array, ReturnType<typeof gzipOptions>, Buffer>(gzip);

/** Compresses a long body in another thread. */
export const compressLater = async (
  content: Uint8Array,
  encoding: ContentEncoding,
  effort: Effort,
): Promise<Buffer> =>
  trimmed(
    encoding === 'br'
      ? await brotliLater(content, brotliOptions(content.length, effort))
      : await gzipLater(content, gzipOptions(effort)),
    effort,
  );
