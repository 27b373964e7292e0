import Router, { type RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type { Endpoint } from './endpoint.js';
import { entityTags } from './entity-tag.js';
import { failureResponse, respond, write } from './response.js';

/** A router with a route for each endpoint. Paths match to the letter: case and a trailing slash count. */
export const routerOf = (endpoints: readonly Endpoint[]): Router => {
  const withEntityTag = entityTags();
  const router = new Router({ sensitive: true, strict: true });
  for (const { operation, respondTo } of endpoints) {
    router.get(
      operation.id,
      operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      respond<RouterContext>(async (ctx) => withEntityTag(await respondTo(ctx))),
    );
  }
  return router;
};

/**
 * Answers what no route took: OPTIONS with `Allow`, another method of a known path with 405, and the rest
 * with 404.
 */
export const fallback = (router: Router): Middleware =>
  async function fallback(ctx) {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) return write(ctx, failureResponse({ _tag: 'NotFound' }));
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
    write(
      ctx,
      ctx.method === 'OPTIONS'
        ? { status: 204, headers }
        : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers },
    );
  };
