import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route } from '../protocol/operation-routes.js';
import { operationMethods, otherResponse } from '../protocol/other-paths.js';
import { write } from './response.js';
import type { ErrorResponses } from './web/error-responses.js';

/** A router for what is no operation. Paths match to the letter: case and a trailing slash count. */
export const pathRouter = (): Router => new Router({ sensitive: true, strict: true });

/** Answers what no route took. */
export const fallback = (
  router: Router,
  routeOf: (path: string) => Route | null,
  errorResponse: ErrorResponses['response'],
): Middleware =>
  async function fallback(ctx) {
    const methods =
      routeOf(ctx.path) === null
        ? Array.from(new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)))
        : operationMethods;
    const response = otherResponse(ctx.method, methods);
    if (response.body === undefined) return write(ctx, response);
    const failure = { _tag: methods.length === 0 ? 'NotFound' : 'MethodNotAllowed' } as const;
    const { headers } = response;
    write(ctx, { ...(await errorResponse(ctx, failure, methods)), ...(headers && { headers }) });
  };
