import cors from '@koa/cors';
import type { Context, Middleware } from 'koa';
import { matching } from './origin-pattern.js';

/** Whether pages of an origin may read responses to requests with credentials. */
export type IsAllowedOrigin = (origin: string) => boolean;

const localhost =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Allows the listed origins, also as patterns, and, unless `allowLocalhost` is false, those on this machine,
 * on any port.
 */
export const allowedOrigins = (listed: readonly string[], allowLocalhost: boolean): IsAllowedOrigin => {
  const patterns = listed.map(matching);
  return (origin) =>
    (allowLocalhost && localhost.test(origin)) || patterns.some((matches) => matches(origin));
};

/**
 * CORS: an allowed origin is echoed, never `*`; other origins get no CORS headers. A page of an allowed
 * origin may send whatever headers it asks for: it may act for its visitor anyway, and libraries add headers
 * of their own. `examine` sees each request but the preflights.
 */
export const allowOrigins = (isAllowed: IsAllowedOrigin, examine: (ctx: Context) => void): Middleware => {
  const allow = cors({
    origin: (ctx) => (isAllowed(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST'],
    exposeHeaders: [
      'Allow',
      'ETag',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Triage-Explanation',
      'X-Triage-Simulated',
      'X-Triage-Warning',
    ],
    maxAge: 600,
  });
  return function allowOrigins(ctx, next) {
    return allow(ctx, () => {
      examine(ctx);
      return next();
    });
  };
};
