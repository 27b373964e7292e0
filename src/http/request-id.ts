import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';

/** The header that carries the id of a request, in the request and in the response. */
export const requestIdHeader = 'X-Request-Id';

/** Such an id can be written to a log and to a header as it is. */
const acceptable = /^[\w.-]{1,128}$/;

/** A new id. It says nothing about other requests. */
export const newRequestId = (): string => randomUUID();

/**
 * Gives a request an id. A client, or a proxy, may choose it; one that is too long or has other characters
 * than letters, digits, `.`, `_` and `-` is replaced.
 */
export const identify = (ctx: Context): void => {
  const given = ctx.req.headers['x-request-id'];
  ctx.state.requestId = typeof given === 'string' && acceptable.test(given) ? given : newRequestId();
};

/** Gives a response the id of its request. */
export const showRequestId: Middleware = function showRequestId(ctx, next) {
  ctx.set(requestIdHeader, requestIdOf(ctx));
  return next();
};

/** The id of a request; empty before it has one. */
export const requestIdOf = (ctx: Context): string => {
  const { requestId } = Object(ctx.state);
  return typeof requestId === 'string' ? requestId : '';
};
