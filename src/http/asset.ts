import type { Middleware } from 'koa';
import { type ContentEncoding, encodingReader, minCompressedLength } from '../protocol/accepted-encoding.js';
import { compressLater } from './compress.js';

/**
 * Serves text that does not change while the process runs, compressed for clients that accept it. It is
 * compressed when it is requested for the first time, in another thread.
 */
export const asset = (type: string, content: () => string): Middleware => {
  let plain: Buffer | undefined;
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
    ctx.type = type;
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.vary('Accept-Encoding');
    const { encoding, refusesIdentity } = encodingOf(ctx.req.headers['accept-encoding'] ?? '');
    const isLong = refusesIdentity || plain.length >= minCompressedLength;
    const body = encoding !== null && isLong ? await inEncoding(plain, encoding) : null;
    if (encoding !== null && body !== null) ctx.set('Content-Encoding', encoding);
    ctx.body = body ?? plain;
  };
};
