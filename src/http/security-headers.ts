import type { Middleware } from 'koa';
import { docsPaths, explorerPath } from '../pages/paths.js';
import { directives, usualSecurityHeaders } from './operations/headers.js';

/**
 * The API reference also needs its own script, and the explorer may run one; both send requests to this
 * server only.
 */
const scriptDirectives = [...directives, "script-src 'self'", "connect-src 'self'"];

const scriptSecurityHeaders = {
  ...usualSecurityHeaders,
  'Content-Security-Policy': scriptDirectives.join(';'),
} as const;

const runsScript = (path: string): boolean =>
  path === docsPaths.page || path === explorerPath || path.startsWith(`${explorerPath}/`);

/**
 * Headers that restrict pages to this site: no foreign scripts or stylesheets, forms that post to this
 * server. They are those that the package `helmet` sets, with stricter values.
 */
export const securityHeaders: Middleware = function securityHeaders(ctx, next) {
  ctx.set(runsScript(ctx.path) ? scriptSecurityHeaders : usualSecurityHeaders);
  return next();
};
