import { gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';
import { etagOf, isCurrent } from '../protocol/cache-headers.js';

/** Browsers need not ask again for five minutes. */
const forAWhile = 'public, max-age=300';

/** Browsers ask each time whether it is still the same, so that it fits the page. */
export const revalidated = 'public, no-cache';

/** Serves text that does not change while the process runs, compressed for clients that accept gzip. */
export const asset = (type: string, content: () => string, caching = forAWhile): Middleware => {
  let plain: Buffer | undefined;
  let zipped: Buffer | undefined;
  let tag: string | undefined;
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
    if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      zipped ??= gzipSync(plain);
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = zipped;
    } else {
      ctx.body = plain;
    }
  };
};
