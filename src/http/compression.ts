import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type * as t from 'io-ts';
import type { Keep, KeptValues } from '../common/kept-values.js';
import type { ContentEncoding } from './operations/headers.js';
import type { CompressBody } from './operations/json-sender.js';
import type { Rendered } from './operations/rendered.js';

/** What is compressed: JSON, often once for each request, or an asset, once for all of them. */
type Compressed = 'json' | 'asset';

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
const compressNow = (content: Uint8Array, encoding: ContentEncoding): Buffer =>
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

type Body = Rendered<t.Mixed>;

/** Longer bodies are compressed in another thread, so that other requests need not wait. */
const maxLengthAtOnce = 64 * 1024;

/** What it takes to keep a compressed body besides its bytes, in bytes: about. */
const overhead = 200;

/**
 * Compresses bodies. What is made of bodies that are kept is kept in the same room, so that it costs nothing
 * from the second request on. `keep`: null, if nothing is kept.
 */
export const compressBodies = (keep: Keep | null): CompressBody<void> => {
  type Kept = KeptValues<Body, Uint8Array>;
  const kept: Readonly<Record<ContentEncoding, Kept>> | null = keep && { br: keep(), gzip: keep() };
  const underWay: Readonly<Record<ContentEncoding, WeakMap<Body, Promise<Uint8Array | null>>>> = {
    br: new WeakMap(),
    gzip: new WeakMap(),
  };

  const begin = (body: Body, encoding: ContentEncoding, content: Uint8Array, keepIn: Kept | null) => {
    const compressing = compressLater(content, encoding, 'json').then(
      (compressed) => {
        underWay[encoding].delete(body);
        keepIn?.set(body, compressed, compressed.length + overhead);
        return compressed;
      },
      () => {
        // Without memory for it, the body is sent as it is.
        underWay[encoding].delete(body);
        return null;
      },
    );
    underWay[encoding].set(body, compressing);
    return compressing;
  };

  return (body, encoding, done) => {
    const keepIn = kept !== null && body.isKept ? kept[encoding] : null;
    const known = keepIn?.get(body);
    if (known !== undefined) return done(known);
    const { content } = body;
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    if (bytes.length > maxLengthAtOnce) {
      const compressing = underWay[encoding].get(body) ?? begin(body, encoding, bytes, keepIn);
      void compressing.then(done);
      return;
    }
    const compressed = compressNow(bytes, encoding);
    keepIn?.set(body, compressed, compressed.length + overhead);
    done(compressed);
  };
};
