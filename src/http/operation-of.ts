import type { Context } from 'koa';
import { notedOperation, unknownOperation } from './operations/operation-note.js';

/**
 * What a request is about, for logs and metrics: the id of the operation of the API, or the method and the
 * path of another route, with the names of its parameters: `POST /settings/api-tokens/:id/revoke`. There are
 * only so many values, whatever clients send.
 */
export const operationOf = (ctx: Context): string => {
  const operation = notedOperation(ctx);
  if (operation !== null) return operation;
  // Set by the router, whose types do not declare it on Koa's context.
  const { _matchedRoute: path } = Object(ctx);
  return typeof path === 'string'
    ? `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${path}`
    : unknownOperation;
};
