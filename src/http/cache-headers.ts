import type { Middleware } from 'koa';
import { apiHeaders, uncachedHeaders } from './operations/headers.js';

/** Sets the caching headers. Pages show who is signed in and are not cached. */
export const cacheHeaders: Middleware = function cacheHeaders(ctx, next) {
  ctx.set(ctx.path.startsWith('/api/') ? apiHeaders : uncachedHeaders);
  return next();
};
