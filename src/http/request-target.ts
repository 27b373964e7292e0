import type { Middleware } from 'koa';
import { renderError } from '../api/rendered.js';
import { send } from './send.js';

/**
 * Comes first, and brings what was asked for into the one form that all others read: a path with a query. A whole URL, which
 * proxies may send, loses its host; what is no URL, or has no host in its headers, is refused (RFC 9112, section 3.2).
 */
export const requestTarget: Middleware = async function requestTarget(ctx, next) {
  const path = pathOf(ctx.req.url ?? '');
  if (path === null || (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined)) {
    return send(ctx, 400, renderError('Bad Request'));
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
