import type { Context } from 'koa';

/** Whether to answer in JSON: to who posts JSON, or prefers it. Everybody else gets a page. */
export const speaksJson = (ctx: Context): boolean =>
  Boolean(ctx.is('json')) || (!ctx.is('urlencoded') && ctx.accepts('html', 'json') === 'json');
