import type { Context } from 'koa';

/** Whether a path belongs to the API, whose errors are always JSON. */
const isOfApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/**
 * Whether to answer an error outside of the API with a page: to clients that prefer HTML, as browsers do.
 * Clients that accept anything, such as curl and `fetch`, get JSON. `Vary` says that the response depends on
 * it.
 */
export const wantsErrorPage = (ctx: Context): boolean => {
  if (isOfApi(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
};
