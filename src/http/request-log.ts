import type { Context } from 'koa';
import type { Log } from '../common/log.js';
import { requestIdOf } from './request-id.js';
import { traceContext } from './trace-context.js';

/** What every line about a request has: its id and, if the client sent one, its trace. */
export const requestFields = (ctx: Context): Readonly<Record<string, string>> => ({
  requestId: requestIdOf(ctx),
  ...traceContext(ctx.req.headers.traceparent),
});

/** A log whose lines name the request. Made when something is logged, so that other requests do not pay. */
export const requestLog =
  (log: Log, ctx: Context): Log =>
  (level, event, details = {}) =>
    log(level, event, { ...requestFields(ctx), ...details });
