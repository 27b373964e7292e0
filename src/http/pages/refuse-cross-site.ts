import type { Context, Middleware } from 'koa';
import type { Visitor } from '../../accounts/account-flow.js';
import { type IsAllowedOrigin, isOrigin } from '../cors.js';
import { write } from '../response.js';
import { prefersJson, type WebResponses } from './web-responses.js';

/**
 * Refuses posts that another site sends in the name of its visitor. A browser states the origin of a post in
 * `Sec-Fetch-Site` or `Origin`: it has to be this site, or a script on a page of an origin that CORS allows.
 * A client without both headers is not a browser.
 */
export const refuseCrossSite = (
  isAllowed: IsAllowedOrigin,
  { refusal }: WebResponses,
  visitor: (ctx: Context) => Visitor,
): Middleware =>
  async function refuseCrossSite(ctx, next) {
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const here = `${ctx.protocol}://${ctx.host}`;
    const isFromHere =
      site === 'same-origin' || site === 'none' || (site === '' && ['', here].includes(origin));
    // No form can post or prefer JSON: this is a script, on a page that CORS allows to read the response.
    if (isFromHere || (isAllowed(origin) && prefersJson(ctx))) return next();
    visitor(ctx).report({ _tag: 'CrossSiteRefused' });
    const advice = adviceOn(origin, here, isAllowed(origin));
    write(ctx, await refusal(ctx, { _tag: 'CrossSiteRequest', ...(advice === null ? {} : { advice }) }));
  };

/** What whoever runs both the page and this server can do; null: the post does not say where it is from. */
const adviceOn = (origin: string, here: string, isAllowed: boolean): string | null => {
  if (!isOrigin(origin)) return null;
  if (isAllowed) return `Pages of ${origin} may send JSON to this server, but no forms`;
  const fromProxy =
    origin.replace(/^https:/, 'http:') === here
      ? 'if a proxy in between speaks https, start the server with --trust-proxy, and let the proxy send X-Forwarded-Proto'
      : 'if a proxy in between has replaced the Host header (changeOrigin), let it keep the header, or let it send X-Forwarded-Host and start the server with --trust-proxy';
  return `This one comes from a page of ${origin} and was sent to ${here}. If the page is yours, start the server with --cors-origin ${origin} and send JSON; ${fromProxy}`;
};
