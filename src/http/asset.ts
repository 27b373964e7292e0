import type { Middleware } from 'koa';
import { compressLater } from './compression.js';
import {
  type ContentEncoding,
  encodingReader,
  etagOf,
  isCurrent,
  minCompressedLength,
} from './operations/headers.js';

/** Browsers need not ask again for five minutes. */
const forAWhile = 'public, max-age=300';

/** Browsers ask each time whether it is still the same, so that it fits the page. */
export const revalidated = 'public, no-cache';

/**
 * Serves text that does not change while the process runs, compressed for clients that accept it. It is
 * compressed when it is requested for the first time, in another thread.
 */
export const asset = (type: string, content: () => string, caching = forAWhile): Middleware => {
  let plain: Buffer | undefined;
  let tag: string | undefined;
  const compressed = new Map<ContentEncoding, Promise<Buffer | null>>();
  const encodingOf = encodingReader();
  const inEncoding = (text: Buffer, encoding: ContentEncoding): Promise<Buffer | null> => {
    // Without memory for it, it is sent as it is, and the next request tries again.
    const made =
      compressed.get(encoding) ??
      compressLater(text, encoding, 'asset').catch(() => {
        compressed.delete(encoding);
        return null;
      });
    compressed.set(encoding, made);
    return made;
  };
  return async function asset(ctx) {
    plain ??= Buffer.from(content());
    tag ??= etagOf(plain);
    ctx.set('Cache-Control', caching);
    // Weak, because it is the same for the compressed text.
    ctx.set('ETag', `W/${tag}`);
    ctx.vary('Accept-Encoding');
    if (isCurrent(ctx.get('If-None-Match'), tag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = type;
    const { encoding, refusesIdentity } = encodingOf(ctx.req.headers['accept-encoding'] ?? '');
    const isLong = refusesIdentity || plain.length >= minCompressedLength;
    const body = encoding !== null && isLong ? await inEncoding(plain, encoding) : null;
    if (encoding !== null && body !== null) ctx.set('Content-Encoding', encoding);
    ctx.body = body ?? plain;
  };
};
