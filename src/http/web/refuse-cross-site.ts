import type { Middleware } from 'koa';
import type { IsAllowedOrigin } from '../allowed-origins.js';
import { speaksJson } from './speaks-json.js';
import type { WebAnswers } from './web-answers.js';

/**
 * Refuses posts that another site sends in its visitor's name. A browser says where a post comes from, in `Sec-Fetch-Site` or
 * `Origin`: it must be from here, or from a script on a page of an origin that CORS allows. Who says neither is no browser.
 */
export const refuseCrossSite = (isAllowed: IsAllowedOrigin, { problem }: WebAnswers): Middleware =>
  async function refuseCrossSite(ctx, next) {
    const site = ctx.get('Sec-Fetch-Site');
    const origin = ctx.get('Origin');
    const here = `${ctx.protocol}://${ctx.host}`;
    const isFromHere =
      site === 'same-origin' || site === 'none' || (site === '' && ['', here].includes(origin));
    // No form can post JSON or prefer it: this is a script, on a page that CORS lets read the answer.
    if (isFromHere || (isAllowed(origin) && speaksJson(ctx))) return next();
    await problem(ctx, 403, 'This came from another site');
  };
