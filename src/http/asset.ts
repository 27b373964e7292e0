import type { Middleware } from 'koa';
import { compressAsset, encodingFor } from './compression.js';
import { etagOf, isCurrent } from './operations/headers.js';
import type { ContentEncoding } from './operations/rendered.js';

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
  const inEncoding = async (text: Buffer, encoding: ContentEncoding): Promise<Buffer | null> => {
    const made = compressed.get(encoding) ?? compressAsset(text, encoding);
    compressed.set(encoding, made);
    const bytes = await made;
    // Without memory for it, it is sent as it is, and the next request tries again.
    if (bytes === null) compressed.delete(encoding);
    return bytes;
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
    const encoding = encodingFor(ctx.req.headers['accept-encoding'], plain.length);
    const body = encoding === null ? null : await inEncoding(plain, encoding);
    if (encoding !== null && body !== null) ctx.set('Content-Encoding', encoding);
    ctx.body = body ?? plain;
  };
};
