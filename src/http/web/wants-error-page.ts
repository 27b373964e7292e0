import type { Context } from 'koa';

/** Whether a path belongs to the API, whose errors are always JSON. */
const isOfApi = (path: string): boolean => path === '/api' || path.startsWith('/api/');

/**
 * Whether to answer an error outside of the API with a page: to clients that prefer HTML, as browsers do.
 * Whoever accepts anything, as curl and `fetch` do, gets JSON. `Vary` says that the response depends on it.
 */
export const wantsErrorPage = (ctx: Context): boolean => {
  if (isOfApi(ctx.path)) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
};
