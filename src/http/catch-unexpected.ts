import type { Context, Middleware } from 'koa';
import type { Log } from '../common/log.js';
import { masked } from './access-log.js';
import type { Unexpected } from './failures.js';
import { logFailure } from './log-failure.js';
import { operationOf } from './operation-of.js';
import { requestIdHeader, requestIdOf } from './request-id.js';
import { requestLog } from './request-log.js';
import { harmlessPath } from './request-target.js';
import { failureResponse, write } from './response.js';
import { usualSecurityHeaders } from './security-headers.js';
import type { JsonResponse } from './send-json.js';

/** Logs what was thrown while a request was worked on; returns the plain 500, which says nothing about it. */
export const unexpectedFailures =
  (log: Log) =>
  (ctx: Context, cause: unknown): JsonResponse => {
    const failure: Unexpected = { _tag: 'Unexpected', cause };
    // What was thrown before the router had its turn belongs to no operation yet.
    const url = masked(harmlessPath(ctx.req.url ?? ''));
    const withTarget: Log = (level, event, details) =>
      requestLog(log, ctx)(level, event, { method: ctx.method, url, ...details });
    logFailure(withTarget, operationOf(ctx), failure);
    return failureResponse(failure);
  };

const headers = Object.entries({ 'Cache-Control': 'no-store', ...usualSecurityHeaders });

/**
 * Answers whatever is thrown below. It comes first and relies on nothing that others do, so that nothing
 * reaches Koa's own handler, which drops all headers.
 */
export const catchUnexpected = (responseTo: (ctx: Context, cause: unknown) => JsonResponse): Middleware =>
  async function catchUnexpected(ctx, next) {
    try {
      await next();
    } catch (cause) {
      const response = responseTo(ctx, cause);
      ctx.set(requestIdHeader, requestIdOf(ctx));
      for (const [name, value] of headers) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
      write(ctx, response);
    }
  };
