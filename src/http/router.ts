import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { operationMethods, otherResponse, type Route } from './operations/routes.js';
import { isLocalPath, type LocalPath } from './pages/csrf.js';
import { type ErrorResponses, wantsErrorPage } from './pages/web-responses.js';
import { redirect, write } from './response.js';

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
    const page = methods.length === 0 ? withoutSlash(router, ctx) : null;
    if (page !== null) return write(ctx, redirect(page));
    const response = otherResponse(ctx.method, methods);
    if (response.body === undefined) return write(ctx, response);
    const failure = { _tag: methods.length === 0 ? 'NotFound' : 'MethodNotAllowed' } as const;
    const { headers } = response;
    write(ctx, { ...(await errorResponse(ctx, failure, methods)), ...(headers && { headers }) });
  };

/**
 * The page that a browser has requested with a slash too many at the end of the path; null: there is none.
 * Other clients get a 404.
 */
const withoutSlash = (router: Router, ctx: Context): LocalPath | null => {
  if (!operationMethods.includes(ctx.method) || !ctx.path.endsWith('/') || !wantsErrorPage(ctx)) return null;
  const path = ctx.path.slice(0, -1);
  const page = `${path}${ctx.search}`;
  return router.match(path, ctx.method).route && isLocalPath(page) ? page : null;
};
