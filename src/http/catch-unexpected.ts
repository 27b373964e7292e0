import type { Middleware } from 'koa';
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

/**
 * Turns whatever is thrown below into the plain 500; the reason goes to the log only. It comes first and
 * relies on nothing that others do, so that nothing reaches Koa's own handler, which drops all headers.
 */
export const catchUnexpected = (log: Log): Middleware => {
  const headers = Object.entries({ 'Cache-Control': 'no-store', ...usualSecurityHeaders });
  return async function catchUnexpected(ctx, next) {
    try {
      await next();
    } catch (cause) {
      const failure: Unexpected = { _tag: 'Unexpected', cause };
      // What was thrown before the router had its turn belongs to no operation yet.
      const url = masked(harmlessPath(ctx.req.url ?? ''));
      const withTarget: Log = (level, event, details) =>
        requestLog(log, ctx)(level, event, { method: ctx.method, url, ...details });
      logFailure(withTarget, operationOf(ctx), failure);
      ctx.set(requestIdHeader, requestIdOf(ctx));
      for (const [name, value] of headers) if (!ctx.res.hasHeader(name)) ctx.set(name, value);
      write(ctx, failureResponse(failure));
    }
  };
};
