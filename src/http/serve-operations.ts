import type { Context, Middleware } from 'koa';
import { noteOperation } from './operation-of.js';
import type { Route } from './operation-routes.js';
import { sendJson } from './send-json.js';

type Dependencies = Readonly<{
  routeOf: (path: string) => Route | null;
  /** Whether a request is not to be answered, because it is malformed or for another host. */
  isRefused: (ctx: Context) => boolean;
  /** Adds the headers for pages of other origins. */
  allowOrigins: Middleware;
}>;

/** Answers the operations of the API; everything else goes on to the next middleware. */
export const serveOperations = ({ routeOf, isRefused, allowOrigins }: Dependencies): Middleware => {
  const send = sendJson();
  const answer = (ctx: Context, { endpoint, params }: Route): Promise<void> =>
    endpoint.respondTo(ctx, params).then((response) => send(ctx, response));
  return function serveOperations(ctx, next) {
    const { method } = ctx.req;
    if ((method !== 'GET' && method !== 'HEAD') || isRefused(ctx)) return next();
    const route = routeOf(ctx.path);
    if (route === null) return next();
    noteOperation(ctx, route.endpoint.operation);
    return ctx.req.headers.origin === undefined
      ? answer(ctx, route)
      : allowOrigins(ctx, () => answer(ctx, route));
  };
};
