import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { ContentEncoding } from './operations/accepted-encoding.js';

/** What is compressed: JSON, often once for each request, or an asset, once for all of them. */
export type Compressed = 'json' | 'asset';

/**
 * At these levels, JSON of 10 kB takes about 0.05 ms and a fifth of its length. The best levels take a
 * hundred times as long for another tenth. All JSON has the same level, whether it is kept or not: HEAD
 * announces the length that GET has.
 */
const levels: Readonly<Record<Compressed, Readonly<Record<ContentEncoding, number>>>> = {
  json: { br: 3, gzip: 3 },
  asset: { br: 6, gzip: 6 },
};

const brotliOptions = (length: number, kind: Compressed) => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: levels[kind].br,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});

const gzipOptions = (kind: Compressed) => ({ level: levels[kind].gzip });

/**
 * The bytes with memory of their own: what zlib returns is a part of a buffer that is longer than most
 * bodies.
 */
const trimmed = (bytes: Buffer): Buffer => {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

/** Compresses a short body of JSON, while everything else waits. */
export const compressNow = (content: Uint8Array, encoding: ContentEncoding): Buffer =>
  trimmed(
    encoding === 'br'
      ? brotliCompressSync(content, brotliOptions(content.length, 'json'))
      : gzipSync(content, gzipOptions('json')),
  );

const brotliLater = promisify<Uint8Array, ReturnType<typeof brotliOptions>, Buffer>(brotliCompress);
const gzipLater = promisify<Uint8Array, ReturnType<typeof gzipOptions>, Buffer>(gzip);

/** Compresses a long text in another thread. */
export const compressLater = async (
  content: Uint8Array,
  encoding: ContentEncoding,
  kind: Compressed,
): Promise<Buffer> =>
  trimmed(
    encoding === 'br'
      ? await brotliLater(content, brotliOptions(content.length, kind))
      : await gzipLater(content, gzipOptions(kind)),
  );
