import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from 'koa';
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
  const usual = usualSecurityHeaders();
  const docs = headersWith(docsDirectives);
  return function securityHeaders(ctx, next) {
    ctx.set(ctx.path === docsPaths.page ? docs : usual);
    return next();
  };
};

/** Those that matter for JSON. The others that helmet sets only change what browsers do with pages. */
const headersForJson = [
  'Content-Security-Policy',
  'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
  'X-Frame-Options',
];

/** The headers of the responses of operations. */
export const jsonSecurityHeaders = (): Readonly<Record<string, string>> => {
  const all = usualSecurityHeaders();
  return Object.fromEntries(headersForJson.map((name) => [name, all[name] ?? '']));
};

/** The headers of everything but the API reference. */
export const usualSecurityHeaders = (): Readonly<Record<string, string>> => headersWith(directives);

/** The headers that helmet sets. They are the same for every request, so it is asked once. */
const headersWith = (policy: typeof directives): Record<string, string> => {
  const headers: Record<string, string> = {};
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    headers[name] = String(value);
    return response;
  };
  const setHeaders = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    // As `frame-ancestors` says. The default, SAMEORIGIN, would contradict it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // Whether a host is HTTPS-only is up to its operator, who sets this header at the proxy.
    strictTransportSecurity: false,
  });
  setHeaders(response.req, response, () => {});
  return headers;
};
