import { gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';

/** Serves text that does not change while the process runs, compressed for clients that accept gzip. */
export const asset = (type: string, content: () => string): Middleware => {
  let plain: Buffer | undefined;
  let zipped: Buffer | undefined;
  return async function asset(ctx) {
    plain ??= Buffer.from(content());
    ctx.type = type;
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.vary('Accept-Encoding');
    if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      zipped ??= gzipSync(plain);
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = zipped;
    } else {
      ctx.body = plain;
    }
  };
};
