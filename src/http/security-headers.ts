import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { docsPaths } from '../web-pages/docs-paths.js';

const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** The API reference also needs its own script, which sends requests to this server only. */
const docsDirectives = { ...directives, scriptSrc: ["'self'"], connectSrc: ["'self'"] };

/**
 * Headers that restrict pages to this site: no scripts, one stylesheet, forms that post to this server. The
 * referrer is kept within the site, because without one browsers post forms with the origin "null".
 */
export const securityHeaders = (): Middleware => {
  const usual = headersWith(directives);
  const docs = headersWith(docsDirectives);
  return async function securityHeaders(ctx, next) {
    return ctx.path === docsPaths.page ? docs(ctx, next) : usual(ctx, next);
  };
};

const headersWith = (policy: typeof directives): Middleware =>
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    referrerPolicy: { policy: 'same-origin' },
    // Whether a host is HTTPS-only is up to its operator, who sets this header at the proxy.
    strictTransportSecurity: false,
  });
