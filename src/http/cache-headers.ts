import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';

/**
 * How answers may be kept. Those of the API: by the asking client alone, and only to ask whether they still hold; a 200 carries
 * an `ETag` of its bytes, and a client that has them already is answered 304. Pages show who is signed in: not at all.
 */
export const cacheHeaders: Middleware = async function cacheHeaders(ctx, next) {
  if (!ctx.path.startsWith('/api/')) {
    ctx.set('Cache-Control', 'no-store');
    return next();
  }
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.vary('Cookie, Authorization');
  await next();
  if (ctx.status === 200 && typeof ctx.body === 'string') {
    const etag = `"${createHash('sha256').update(ctx.body).digest('base64url')}"`;
    ctx.set('ETag', etag);
    if (hasAlready(ctx.get('If-None-Match'), etag)) ctx.status = 304;
  }
};

/**
 * RFC 9110, section 13.1.2. Koa's own `fresh` lets `Cache-Control: no-cache` on the request outweigh the condition, which
 * the RFC does not, and which Node's `fetch` adds to every conditional request.
 */
const hasAlready = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
