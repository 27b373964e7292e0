import cors from '@koa/cors';
import type { Middleware } from 'koa';

/** Whether pages of an origin may read responses to requests with credentials. */
export type IsAllowedOrigin = (origin: string) => boolean;

const localhost =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

/** Allows the listed origins and, unless `allowLocalhost` is false, those on this machine, on any port. */
export const allowedOrigins =
  (listed: readonly string[], allowLocalhost: boolean): IsAllowedOrigin =>
  (origin) =>
    (allowLocalhost && localhost.test(origin)) || listed.includes(origin);

/** CORS: an allowed origin is echoed, never `*`; other origins get no CORS headers. */
export const allowOrigins = (isAllowed: IsAllowedOrigin): Middleware =>
  cors({
    origin: (ctx) => (isAllowed(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: [
      'Accept',
      'Authorization',
      'Content-Type',
      'If-None-Match',
      'Prefer',
      'traceparent',
      'X-Request-Id',
      'X-Triage-Explain',
    ],
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
