import type { Middleware } from 'koa';

/**
 * Sets the caching headers. Only the client itself may cache API responses, and it has to revalidate them: a
 * client that names the `ETag` of a 200 gets a 304. Pages show who is signed in and are not cached.
 */
export const cacheHeaders: Middleware = async function cacheHeaders(ctx, next) {
  if (!ctx.path.startsWith('/api/')) {
    ctx.set('Cache-Control', 'no-store');
    return next();
  }
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.vary('Cookie, Authorization');
  await next();
  const etag = ctx.response.get('ETag');
  if (ctx.status === 200 && etag !== '' && isCurrent(ctx.get('If-None-Match'), etag)) ctx.status = 304;
};

/**
 * RFC 9110, section 13.1.2. Koa's own `fresh` lets `Cache-Control: no-cache` on the request outweigh the
 * condition, which the RFC does not, and Node's `fetch` adds that header to every conditional request.
 */
const isCurrent = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
