import type { Context } from 'koa';
import type { Clock } from '../common/clock.js';
import { explorerPaths } from '../web/paths.js';
import { unknownOperation } from '../simulation/known-names.js';
import { addressOf } from './guard.js';
import {
  clientGone,
  type Notes,
  requestIdOf,
  shownTarget,
  type TraceContext,
  traceContext,
} from '../protocol/request.js';

/**
 * What a request is about, for logs and metrics: the id of an operation, or the method and the path of a
 * route with the names of its parameters. There are only so many values, whatever clients send.
 */
export const operationOf = (ctx: Context): string => {
  const { operation }: Notes = ctx.state;
  if (operation !== undefined) return operation;
  // Set by the router, whose types do not declare it on Koa's context.
  const { _matchedRoute: path } = Object(ctx);
  if (typeof path !== 'string') return unknownOperation;
  return `${ctx.method === 'HEAD' ? 'GET' : ctx.method} ${path}`;
};

/** An entry of the access log (docs/operations.md). */
export type AccessLogEntry = Readonly<{
  requestId: string;
  /** The trace that the client named; null: none. */
  trace: TraceContext | null;
  method: string;
  /** The path and the query, without what may be a secret. */
  url: string;
  operation: string;
  status: number;
  /** The time until the response was sent or abandoned. */
  milliseconds: number;
  /** On whose behalf the request acted; null: nobody's. */
  tenantId: string | null;
  /** The network address of the client. */
  address: string;
  /** What was simulated, and by what; left out: nothing. */
  simulated?: string;
}>;

/** Told of every request when it begins; the returned function of its end. */
export type ObserveRequests = () => (
  ended: Pick<AccessLogEntry, 'operation' | 'method' | 'status' | 'milliseconds'>,
) => void;

/** Who is told of requests. */
export type Followers = Readonly<{
  /** Logs a request; null: requests are not logged. */
  logAccess: ((entry: AccessLogEntry) => void) | null;
  /** Observes every request; null: nobody does. */
  observeRequests: ObserveRequests | null;
  /** A monotonic clock in milliseconds that keeps running when that of the server is frozen. */
  elapsed: Clock;
}>;

/** Follows a request until its response is sent or its client is gone. Logged URLs are without secrets. */
export const followRequests =
  ({ logAccess, observeRequests, elapsed }: Followers) =>
  (ctx: Context): void => {
    if (logAccess === null && observeRequests === null) return;
    const started = elapsed();
    // A closed socket has no address any more.
    const address = addressOf(ctx);
    const end = observeRequests?.();
    ctx.res.on('close', () => {
      const milliseconds = elapsed() - started;
      const { method } = ctx;
      const operation = operationOf(ctx);
      const status = ctx.res.writableFinished ? ctx.res.statusCode : clientGone;
      end?.({ method, operation, status, milliseconds });
      if (logAccess === null || isQuiet(ctx)) return;
      const { tenantId, simulated }: Notes = ctx.state;
      // Field by field: a spread of the first ones would make logging cost twice as much.
      logAccess({
        requestId: requestIdOf(ctx),
        trace: traceContext(ctx.req.headers.traceparent),
        method,
        url: shownTarget(ctx.req.url ?? ''),
        operation,
        status,
        milliseconds: Math.round(milliseconds),
        tenantId: tenantId ?? null,
        address,
        ...(simulated === undefined ? {} : { simulated }),
      });
    });
  };

/** Whether a page has asked for changes and got none: up to one a second of each page, so not logged. */
export const isQuiet = ({ path, res }: Context): boolean =>
  path === explorerPaths.changes && res.statusCode === 304;
