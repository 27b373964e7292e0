import type { Middleware } from 'koa';
import { failureResponse, write } from './response.js';

/**
 * Comes first and reduces the request target to a path with a query. An absolute URL, which proxies may send,
 * loses its host; what is not a URL, or comes without a `Host` header, is refused (RFC 9112, section 3.2).
 */
export const requestTarget: Middleware = async function requestTarget(ctx, next) {
  const path = pathOf(ctx.req.url ?? '');
  if (path === null || (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined)) {
    return write(ctx, failureResponse({ _tag: 'MalformedRequest' }));
  }
  ctx.req.url = path;
  return next();
};

const pathOf = (target: string): string | null => {
  if (target.startsWith('/') || target === '*') return target;
  if (!URL.canParse(target)) return null;
  const { protocol, pathname, search } = new URL(target);
  return protocol === 'http:' || protocol === 'https:' ? `${pathname}${search}` : null;
};
