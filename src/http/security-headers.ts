import type { Middleware } from 'koa';
import { directives, usualSecurityHeaders } from '../protocol/security-headers.js';
import { docsPaths } from '../web-pages/docs-paths.js';

/** The API reference also needs its own script, which sends requests to this server only. */
const docsDirectives = [...directives, "script-src 'self'", "connect-src 'self'"];

const docsSecurityHeaders = {
  ...usualSecurityHeaders,
  'Content-Security-Policy': docsDirectives.join(';'),
} as const;

/**
 * Headers that restrict pages to this site: no scripts, one stylesheet, forms that post to this server. They
 * are those that the package `helmet` sets, with stricter values.
 */
export const securityHeaders: Middleware = function securityHeaders(ctx, next) {
  ctx.set(ctx.path === docsPaths.page ? docsSecurityHeaders : usualSecurityHeaders);
  return next();
};
