import type { Middleware } from 'koa';
import helmet from 'koa-helmet';

/**
 * Headers that tell browsers to trust nothing but ourselves: no script at all, our one stylesheet, forms that post here. The
 * referrer stays within the site rather than going nowhere, since without one browsers post forms from the origin "null".
 */
export const securityHeaders = (): Middleware =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    // Whether a host speaks https for good is for whoever runs it to say, at the proxy that does.
    strictTransportSecurity: false,
  });
