import cors from '@koa/cors';
import type { Context } from 'koa';
import { isLoopback } from '../common/is-loopback.js';
import { readCredentials } from '../protocol/credentials.js';
import {
  addHeaders,
  requestIdHeader,
  requestLog,
  type ServiceRequest,
  simulatedHeader,
  warningHeader,
} from '../protocol/request.js';
import { explanationHeader } from '../service/simulate.js';
import { type IsAllowedOrigin, isOrigin } from '../web/posts.js';
import type { AppDependencies } from './app.js';

/**
 * Domains under which hosting services give each customer a name: those that front ends and tunnels use most.
 * The complete list (publicsuffix.org) changes every week, so this one must not decide who is let in: it
 * makes warnings more precise, and refuses the patterns that are most likely a mistake.
 */
const sharedDomains: ReadonlySet<string> = new Set(
  `a.run.app amplifyapp.com app.github.dev appspot.com azurestaticapps.net azurewebsites.net cloudfront.net
  csb.app deno.dev firebaseapp.com fly.dev github.io gitlab.io gitpod.io glitch.me herokuapp.com loca.lt
  netlify.app ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io onrender.com pages.dev replit.app
  replit.dev run.app surge.sh trycloudflare.com up.railway.app vercel.app web.app webcontainer.io
  workers.dev`.split(/\s+/),
);

/** What stands before the code of a country where that does not belong to one owner: `co.uk`. */
const countryDomain = /(?:^|\.)(?:ac|co|com|edu|go|gov|ne|net|or|org)\.[^.]{2}$/;

/** How many labels at the end of a name do not belong to one owner. */
const suffixLength = (labels: readonly string[]): number => {
  const shared = labels.findIndex((_, i) => sharedDomains.has(labels.slice(i).join('.')));
  if (shared !== -1) return labels.length - shared;
  return countryDomain.test(labels.join('.')) ? 2 : 1;
};

/** The part of a host name that belongs to one owner; an address is its own. */
const ownedDomain = (host: string): string => {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  return labels.slice(-(suffixLength(labels) + 1)).join('.');
};

/** Whether browsers take two hosts for one site, about: this is for warnings only. */
export const areHostsOfOneSite = (left: string, right: string): boolean =>
  ownedDomain(left) === ownedDomain(right);

/** `https://` and `.preview.example:8443` of `https://*.preview.example:8443`. */
const wildcard = /^(https?:\/\/)\*(\.(.+?)(?::\d{1,5})?)$/;

/**
 * Whether a text is an origin, or a pattern whose first label is `*`: one such as `https://*.vercel.app`,
 * whose names anybody can get, is refused.
 */
export const isOriginPattern = (text: string): boolean => {
  const [, scheme, rest, domain = ''] = wildcard.exec(text) ?? [];
  if (scheme === undefined) return isOrigin(text);
  const labels = domain.split('.');
  return isOrigin(`${scheme}x${rest}`) && labels.length > suffixLength(labels);
};

/** The origins that a pattern stands for: `*` is exactly one label, as in certificates. */
const matching = (pattern: string): ((origin: string) => boolean) => {
  const [, scheme = '', rest = ''] = wildcard.exec(pattern) ?? [];
  if (scheme === '') return (origin) => origin === pattern;
  return (origin) =>
    origin.startsWith(scheme) &&
    origin.endsWith(rest) &&
    /^[a-z0-9_-]+$/.test(origin.slice(scheme.length, -rest.length));
};

const localhost =
  /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

/** Whether a host, or a domain that begins with a dot, is this machine to browsers, on every machine. */
export const isLocalhost = (host: string): boolean =>
  localhost.test(`http://${host.replace(/^\./, '').toLowerCase()}`);

/** Allows the listed origins and patterns and, with `allowLocalhost`, this machine on any port. */
export const allowedOrigins = (listed: readonly string[], allowLocalhost: boolean): IsAllowedOrigin => {
  const patterns = listed.map(matching);
  return (origin) =>
    (allowLocalhost && localhost.test(origin)) || patterns.some((matches) => matches(origin));
};

type Dependencies = Pick<AppDependencies, 'crossSiteCookies' | 'log'> &
  Readonly<{ isAllowedOrigin: IsAllowedOrigin }>;

/** The headers of standards that pages of other origins may read. */
const standardHeaders =
  'Allow,ETag,Preference-Applied,RateLimit,RateLimit-Policy,Retry-After,WWW-Authenticate';

/**
 * CORS: an allowed origin is echoed, never `*`. Its pages may send whatever headers they ask for: they may
 * act for their visitors anyway, and libraries add headers of their own.
 */
export const allowOrigins = (dependencies: Dependencies) => {
  const { isAllowedOrigin } = dependencies;
  const allow = cors({
    origin: (ctx) => (isAllowedOrigin(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST'],
    exposeHeaders: [standardHeaders, requestIdHeader, explanationHeader, simulatedHeader, warningHeader],
    maxAge: 600,
  });
  return {
    warn: warnOfLostSession(dependencies),
    /** Adds the headers to a response. Resolves to whether the request only asks for permission. */
    allow: async (ctx: Context): Promise<boolean> => {
      let isActual = false;
      await allow(ctx, async () => {
        isActual = true;
      });
      return !isActual;
    },
  };
};

/** How many pairs of a page and an address of this server are logged. */
const maxPairs = 100;

/** Requests that start or need a session. */
const needsSession = /^\/(?:api|settings)\/|^\/(?:login|signup|session)$/;

/**
 * If a request of a page that CORS allows has no session because browsers keep the cookie from pages of
 * another site, the response says so, and so does the log, once for each pair of page and address. Otherwise
 * a login would succeed, and everything after it would be answered 401 for no visible reason.
 */
const warnOfLostSession = ({ isAllowedOrigin, crossSiteCookies, log }: Dependencies) => {
  const logged = new Set<string>();
  return (ctx: Context, request: ServiceRequest): void => {
    const { origin } = ctx.req.headers;
    if (origin === undefined || !isAllowedOrigin(origin) || !needsSession.test(request.path)) return;
    if (crossSiteCookies && ctx.secure) return;
    // The browser itself says so where the page and this server are of one site.
    if (['same-origin', 'same-site', 'none'].includes(ctx.get('Sec-Fetch-Site'))) return;
    const { sessionValue, bearerToken } = readCredentials(ctx.req.headers, ['session', 'bearer']);
    if (sessionValue !== null || bearerToken !== null) return;
    const here = `${ctx.protocol}://${ctx.host}`;
    const reason = cookieObstacle(origin, here);
    if (reason === null) return;
    addHeaders(request, { [warningHeader]: reason });
    const pair = `${origin} ${here}`;
    if (logged.has(pair) || logged.size >= maxPairs) return;
    logged.add(pair);
    requestLog(log, request)('warn', reason);
  };
};

/** Why the session cookie of `api` is not sent by pages of `page`, and what to do; null: it is sent. */
export const cookieObstacle = (page: string, api: string): string | null => {
  if (!isOrigin(page) || !URL.canParse(api)) return null;
  const [from, to] = [new URL(page), new URL(api)];
  const isOneSite = areHostsOfOneSite(from.hostname, to.hostname);
  if (isOneSite && from.protocol === to.protocol) return null;
  const isHere = [from, to].every(({ hostname }) => isLoopback(hostname.replace(/^\[(.*)\]$/, '$1')));
  let advice = 'put both behind one host name, or use https and the option --cross-site-cookies';
  if (isOneSite) advice = 'use the same scheme, http or https, for both';
  else if (isHere) advice = 'use the same host name for both, for example localhost';
  return `browsers do not send the session cookie of ${to.origin} from pages of ${page}, which is another site to them; ${advice}`;
};
