import type { Context, Middleware } from 'koa';
import type { Visitor } from '../../accounts/visitor.js';
import type { IsAllowedOrigin } from '../allowed-origins.js';
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
    write(ctx, await refusal(ctx, { _tag: 'CrossSiteRequest' }));
  };
