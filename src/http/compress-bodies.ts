import type * as t from 'io-ts';
import type { Keep, KeptValues } from '../common/kept-values.js';
import { compressLater, compressNow } from './compress.js';
import type { ContentEncoding } from './operations/accepted-encoding.js';
import type { CompressBody } from './operations/json-sender.js';
import type { Rendered } from './operations/rendered.js';

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
