import cors from '@koa/cors';
import type { Context } from 'koa';
import { requestIdHeader, simulatedHeader, warningHeader } from '../api/request.js';
import { type IsAllowedOrigin, isOrigin, isThisMachine } from '../common/own-hosts.js';

/** `https://` and `.a.example:8443` of `https://*.a.example:8443`; `https://*.com` is no pattern. */
const wildcard = /^(https?:\/\/)\*((?:\.[^.]+){2,})$/;

/** Whether a text is an origin, or a pattern whose first label is `*`, such as `https://*.example.com`. */
export const isOriginPattern = (text: string): boolean => isOrigin(text.replace(wildcard, '$1x$2'));

/** The origins that a pattern stands for: `*` is exactly one label, as in certificates. */
const matching = (pattern: string): ((origin: string) => boolean) => {
  const [, scheme = '', rest = ''] = wildcard.exec(pattern) ?? [];
  if (scheme === '') return (origin) => origin === pattern;
  return (origin) =>
    origin.startsWith(scheme) &&
    origin.endsWith(rest) &&
    /^[a-z0-9_-]+$/.test(origin.slice(scheme.length, -rest.length));
};

const isLocalOrigin = (origin: string): boolean =>
  isThisMachine(/^https?:\/\/(\[::1\]|[^/:]+)(?::\d{1,5})?$/.exec(origin)?.[1] ?? '');

/** Allows the listed origins and patterns and, with `allowLocalhost`, this machine on any port. */
export const allowedOrigins = (origins: readonly string[], allowLocalhost: boolean): IsAllowedOrigin => {
  const patterns = origins.map(matching);
  return (origin) => (allowLocalhost && isLocalOrigin(origin)) || patterns.some((matches) => matches(origin));
};

/** The headers of standards that pages of other origins may read. */
const standardHeaders =
  'Allow,ETag,Preference-Applied,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate';

/**
 * CORS: an allowed origin is echoed, never `*`. Its pages may send whatever headers they ask for: they may
 * act for their visitors anyway, and libraries add headers of their own.
 */
export const allowOrigins = (isAllowedOrigin: IsAllowedOrigin) => {
  const allow = cors({
    origin: (ctx) => (isAllowedOrigin(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST'],
    exposeHeaders: [standardHeaders, requestIdHeader, simulatedHeader, warningHeader],
    maxAge: 600,
  });
  /** Adds the headers to a response. Resolves to whether the request only asks for permission. */
  return async (ctx: Context): Promise<boolean> => {
    let isActual = false;
    await allow(ctx, async () => {
      isActual = true;
    });
    return !isActual;
  };
};
