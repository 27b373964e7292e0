import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';

/**
 * How answers of the API may be kept: by the asking client alone, and only to ask whether they still hold. A 200 carries an
 * `ETag` of its bytes; a client that has them already is answered 304.
 */
export const apiHeaders: Middleware = async function apiHeaders(ctx, next) {
  if (!ctx.path.startsWith('/api/')) return next();
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
