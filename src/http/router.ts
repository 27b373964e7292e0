import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Route } from './operation-routes.js';
import { failureResponse, write } from './response.js';

/** A router for what is no operation. Paths match to the letter: case and a trailing slash count. */
export const pathRouter = (): Router => new Router({ sensitive: true, strict: true });

/**
 * Answers what no route took: OPTIONS with `Allow`, another method of a known path with 405, and the rest
 * with 404.
 */
export const fallback = (router: Router, routeOf: (path: string) => Route | null): Middleware =>
  async function fallback(ctx) {
    const methods =
      routeOf(ctx.path) === null
        ? new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))
        : new Set(['GET', 'HEAD']);
    if (methods.size === 0) return write(ctx, failureResponse({ _tag: 'NotFound' }));
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
    write(
      ctx,
      ctx.method === 'OPTIONS'
        ? { status: 204, headers }
        : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers },
    );
  };
