import type { Context, Middleware } from 'koa';
import type { JsonResponse } from './operations/failures.js';
import { uncachedHeaders, usualSecurityHeaders } from './operations/headers.js';
import { requestIdHeader, requestIdOf } from './operations/request.js';
import type { ErrorResponses } from './pages/web-responses.js';
import { write } from './response.js';

const headers = Object.entries({ ...uncachedHeaders, ...usualSecurityHeaders });

/**
 * Answers whatever is thrown below. It comes first and relies on nothing that others do, so that nothing
 * reaches Koa's own handler, which drops all headers.
 */
export const catchUnexpected = (
  responseTo: (ctx: Context, cause: unknown) => JsonResponse,
  withPage: ErrorResponses['withoutUser'] = (_ctx, _failure, json) => json,
): Middleware =>
  async function catchUnexpected(ctx, next) {
    try {
      await next();
    } catch (cause) {
      const response = responseTo(ctx, cause);
      ctx.set(requestIdHeader, requestIdOf(ctx));
      for (const [name, value] of headers) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
      write(ctx, withPage(ctx, { _tag: 'Unexpected', cause }, response));
    }
  };
