import type { Middleware } from 'koa';
import { requestIdHeader, requestIdOf } from './operations/request.js';

/** Gives a response the id of its request. */
export const showRequestId: Middleware = function showRequestId(ctx, next) {
  ctx.set(requestIdHeader, requestIdOf(ctx));
  return next();
};
