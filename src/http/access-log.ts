import type { Context } from 'koa';
import type { Clock } from '../common/clock.js';
import { explorerPaths } from '../pages/paths.js';
import { addressOf } from './guard.js';
import {
  clientGone,
  type Notes,
  requestIdOf,
  type TraceContext,
  traceContext,
  unknownOperation,
} from './operations/request.js';
import { shownTarget } from './operations/target.js';

/**
 * What a request is about, for logs and metrics: the id of the operation of the API, or the method and the
 * path of another route, with the names of its parameters: `POST /settings/api-tokens/:id/revoke`. There are
 * only so many values, whatever clients send.
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

/**
 * Logs every request once its response is sent or its client is gone. Only parameters of the contract are
 * logged with their values.
 */
export const accessLog =
  (log: (entry: AccessLogEntry) => void, elapsed: Clock) =>
  (ctx: Context): void => {
    const started = elapsed();
    // A closed socket has no address any more.
    const address = addressOf(ctx);
    ctx.res.on('close', () => {
      if (isQuiet(ctx)) return;
      const { tenantId, simulated }: Notes = ctx.state;
      log({
        requestId: requestIdOf(ctx),
        trace: traceContext(ctx.req.headers.traceparent),
        method: ctx.method,
        url: shownTarget(ctx.req.url ?? ''),
        operation: operationOf(ctx),
        status: finalStatus(ctx),
        milliseconds: Math.round(elapsed() - started),
        tenantId: tenantId ?? null,
        address,
        ...(simulated === undefined ? {} : { simulated }),
      });
    });
  };

/**
 * Whether this is a request of a page that waits for a change, and nothing has changed. There may be one a
 * second of each page, so they are not logged.
 */
export const isQuiet = ({ path, res }: Context): boolean =>
  path === explorerPaths.changes && res.statusCode === 304;

/** Told of every request when it begins; the returned function of its end. */
export type ObserveRequests = () => (
  ended: Pick<AccessLogEntry, 'operation' | 'method' | 'status' | 'milliseconds'>,
) => void;

/** Observes every request from when its headers have arrived until its response has been sent. */
export const observeRequests =
  (observe: ObserveRequests, elapsed: Clock) =>
  (ctx: Context): void => {
    const started = elapsed();
    const end = observe();
    ctx.res.on('close', () =>
      end({
        operation: operationOf(ctx),
        method: ctx.method,
        status: finalStatus(ctx),
        milliseconds: elapsed() - started,
      }),
    );
  };

/** The status of a request whose response has been sent, or whose client has given up (499). */
const finalStatus = (ctx: Context): number => (ctx.res.writableFinished ? ctx.res.statusCode : clientGone);
