import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';

/** The header that carries the id of a request, in the request and in the response. */
export const requestIdHeader = 'X-Request-Id';

/** Such an id can be written to a log and to a header as it is. */
const acceptable = /^[\w.-]{1,128}$/;

/** A new id. It says nothing about other requests. */
export const newRequestId = (): string => randomUUID();

/**
 * Comes first: gives every response the id of its request. A client, or a proxy, may choose the id; one that
 * is too long or has other characters than letters, digits, `.`, `_` and `-` is replaced.
 */
export const requestIds: Middleware = function requestIds(ctx, next) {
  const given = ctx.req.headers['x-request-id'];
  ctx.set(requestIdHeader, typeof given === 'string' && acceptable.test(given) ? given : newRequestId());
  return next();
};

/** The id of a request. The response has it from the beginning, so it is kept nowhere else. */
export const requestIdOf = (ctx: Context): string => ctx.response.get(requestIdHeader);
