import type { Context } from 'koa';
import type { Clock } from '../common/clock.js';
import {
  clientGone,
  operationNameOf,
  requestIdOf,
  type ServiceRequest,
  shownTarget,
  type TraceContext,
  traceContext,
} from '../protocol/request.js';
import { isQuiet } from '../web/paths.js';

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
export const followRequest = (
  { logAccess, observeRequests, elapsed }: Followers,
  { res }: Context,
  request: ServiceRequest,
): void => {
  if (logAccess === null && observeRequests === null) return;
  const started = elapsed();
  // A closed socket has no address any more.
  const { address, headers, method, notes, target } = request;
  const end = observeRequests?.();
  res.on('close', () => {
    const milliseconds = elapsed() - started;
    const operation = operationNameOf(request);
    const status = res.writableFinished ? res.statusCode : clientGone;
    end?.({ method, operation, status, milliseconds });
    if (logAccess === null || isQuiet(request, status)) return;
    const { tenantId, simulated } = notes;
    // Field by field: a spread of the first ones would make logging cost twice as much.
    logAccess({
      requestId: requestIdOf(request),
      trace: traceContext(headers.traceparent),
      method,
      url: shownTarget(target),
      operation,
      status,
      milliseconds: Math.round(milliseconds),
      tenantId: tenantId ?? null,
      address,
      ...(simulated === undefined ? {} : { simulated }),
    });
  });
};
