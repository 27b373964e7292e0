import type { Context } from 'koa';

/** The operation of a request that no route takes. */
export const unknownOperation = 'other';

/**
 * What a request is about, for logs and metrics: the id of the operation of the API, or the method and the
 * path of another route, with the names of its parameters: `POST /settings/api-tokens/:id/revoke`. There are
 * only so many values, whatever clients send.
 */
export const operationOf = (ctx: Context): string => {
  // Set by the router, whose types do not declare them on Koa's context.
  const { _matchedRoute: path, _matchedRouteName: name } = Object(ctx);
  if (typeof name === 'string') return name;
  return typeof path === 'string'
    ? `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${path}`
    : unknownOperation;
};
