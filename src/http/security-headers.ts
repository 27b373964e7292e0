import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { docsPaths } from '../pages/docs-paths.js';

const directives = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** What the API reference needs besides: its own script, which asks this server and no other. */
const docsDirectives = { ...directives, scriptSrc: ["'self'"], connectSrc: ["'self'"] };

/**
 * Headers that tell browsers to trust nothing but ourselves: no script at all, our one stylesheet, forms that post here. The
 * referrer stays within the site rather than going nowhere, since without one browsers post forms from the origin "null".
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
    // Whether a host speaks https for good is for whoever runs it to say, at the proxy that does.
    strictTransportSecurity: false,
  });
