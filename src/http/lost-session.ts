import type { Context } from 'koa';
import { isLoopback } from '../common/is-loopback.js';
import type { Log } from '../common/log.js';
import type { IsAllowedOrigin } from './allowed-origins.js';
import { readCredentials } from './operations/read-credentials.js';
import { requestLog } from './operations/request-log.js';
import { warningHeader } from './operations/warning-of.js';
import { isOrigin } from './origin-pattern.js';
import { areHostsOfOneSite } from './site.js';

type Dependencies = Readonly<{
  isAllowedOrigin: IsAllowedOrigin;
  /** Whether sessions work on other sites over HTTPS. */
  crossSiteCookies: boolean;
  log: Log;
}>;

/** How many pairs of a page and an address of this server are logged. */
const maxPairs = 100;

/** Requests that start or need a session. */
const needsSession = /^\/(?:api|settings)\/|^\/(?:login|signup|session)$/;

/**
 * Examines requests of pages that CORS allows. If one has no session because browsers keep the cookie from
 * pages of another site, the response says so, and so does the log, once for each pair of page and address.
 * Otherwise a login would succeed, and everything after it would be answered 401 for no visible reason.
 */
export const warnOfLostSession = ({
  isAllowedOrigin,
  crossSiteCookies,
  log,
}: Dependencies): ((ctx: Context) => void) => {
  const logged = new Set<string>();
  return (ctx) => {
    const { origin } = ctx.req.headers;
    if (origin === undefined || !isAllowedOrigin(origin) || !needsSession.test(ctx.path)) return;
    if ((crossSiteCookies && ctx.secure) || hasCredentials(ctx) || isCalledSameSite(ctx)) return;
    const here = `${ctx.protocol}://${ctx.host}`;
    const reason = cookieObstacle(origin, here);
    if (reason === null) return;
    ctx.set(warningHeader, reason);
    ctx.state.lostSession = reason;
    const pair = `${origin} ${here}`;
    if (logged.has(pair) || logged.size >= maxPairs) return;
    logged.add(pair);
    requestLog(log, ctx)('warn', reason);
  };
};

const hasCredentials = (ctx: Context): boolean => {
  const { sessionValue, bearerToken } = readCredentials(ctx.req.headers, ['session', 'bearer']);
  return sessionValue !== null || bearerToken !== null;
};

/** Whether the browser itself says that the page and this server are of one site. */
const isCalledSameSite = (ctx: Context): boolean =>
  ['same-origin', 'same-site', 'none'].includes(ctx.get('Sec-Fetch-Site'));

/** Why the session cookie of `api` is not sent by pages of `page`, and what to do; null: it is sent. */
export const cookieObstacle = (page: string, api: string): string | null => {
  if (!isOrigin(page) || !URL.canParse(api)) return null;
  const [from, to] = [new URL(page), new URL(api)];
  const isOneSite = areHostsOfOneSite(from.hostname, to.hostname);
  if (isOneSite && from.protocol === to.protocol) return null;
  return `browsers do not send the session cookie of ${to.origin} from pages of ${page}, which is another site to them; ${
    isOneSite ? 'use the same scheme, http or https, for both' : adviceOn(from, to)
  }`;
};

const adviceOn = (page: URL, api: URL): string =>
  isLoopback(bare(page.hostname)) && isLoopback(bare(api.hostname))
    ? 'use the same host name for both, for example localhost'
    : 'put both behind one host name, or use https and the option --cross-site-cookies';

const bare = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');
