import type { Middleware } from 'koa';
import { docsPaths } from '../web-pages/docs-paths.js';

const directives = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The API reference also needs its own script, which sends requests to this server only. */
const docsDirectives = [...directives, "script-src 'self'", "connect-src 'self'"];

/**
 * The headers of the responses of operations: those that mean something for JSON. Each header takes about one
 * hundredth of the time of a response.
 */
export const jsonSecurityHeaders = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * The headers of everything else but the API reference. The referrer is kept within the site, because without
 * one browsers post forms with the origin "null". Whether a host is HTTPS-only is up to its operator, who
 * sets `Strict-Transport-Security` at the proxy.
 */
export const usualSecurityHeaders = {
  ...jsonSecurityHeaders,
  'Content-Security-Policy': directives.join(';'),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'same-origin',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  // As `frame-ancestors` says, for browsers that do not know it.
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // The filters of old browsers did more harm than good.
  'X-XSS-Protection': '0',
} as const;

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
