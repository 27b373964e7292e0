import type { Context, Middleware } from 'koa';
import { uncachedHeaders } from '../protocol/cache-headers.js';
import type { JsonResponse } from '../protocol/json-response.js';
import { requestIdHeader, requestIdOf } from '../protocol/request-id.js';
import { usualSecurityHeaders } from '../protocol/security-headers.js';
import { write } from './response.js';
import type { ErrorResponses } from './web/error-responses.js';

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
