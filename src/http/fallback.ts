import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { sendError } from './send.js';

/** Answers what no route took: OPTIONS with `Allow`, a known path with another method by 405, and 404 for the rest. */
export const fallback = (router: Router): Middleware =>
  async function fallback(ctx) {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) return sendError(ctx, { _tag: 'NotFound' });
    ctx.set('Allow', [...methods, 'OPTIONS'].sort().join(', '));
    if (ctx.method !== 'OPTIONS') return sendError(ctx, { _tag: 'MethodNotAllowed' });
    ctx.status = 204;
  };
