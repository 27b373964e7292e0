import type { Context } from 'koa';
import {
  clientGone,
  operationNameOf,
  type ServiceRequest,
  shownTarget,
  type TraceContext,
  traceContext,
} from '../api/request.js';
import type { Clock } from '../common/clock.js';
import { runNextTurn } from '../common/timers.js';

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
  /** Logs the requests that ended in one turn of the event loop; null: requests are not logged. */
  logAccess: ((entries: readonly AccessLogEntry[]) => void) | null;
  /** Observes every request; null: nobody does. */
  observeRequests: ObserveRequests | null;
  /** Whether a request is not worth an entry. */
  isQuiet: (request: ServiceRequest, status: number) => boolean;
  /** A monotonic clock in milliseconds that keeps running when that of the server is frozen. */
  elapsed: Clock;
}>;

/**
 * Follows each request that it is given until its response is sent or its client is gone. The entries of a
 * turn are made together, too: each by itself, among the responses, they would take several times as long.
 */
export const requestFollower = ({ logAccess, observeRequests, isQuiet, elapsed }: Followers) => {
  let ended: (() => AccessLogEntry)[] = [];
  const logEnded = (): void => {
    const entries = ended.map((entry) => entry());
    ended = [];
    logAccess?.(entries);
  };
  return ({ res }: Context, request: ServiceRequest): void => {
    if (logAccess === null && observeRequests === null) return;
    const started = elapsed();
    // A closed socket has no address any more.
    const { address, method } = request;
    const end = observeRequests?.();
    res.on('close', () => {
      const milliseconds = elapsed() - started;
      const status = res.writableFinished ? res.statusCode : clientGone;
      end?.({ method, operation: operationNameOf(request), status, milliseconds });
      if (logAccess === null || isQuiet(request, status)) return;
      // A process does not end by itself before.
      if (ended.push(() => entryOf(request, { status, milliseconds, address })) === 1) runNextTurn(logEnded);
    });
  };
};

/** The entry of a request; its URL is without secrets. */
const entryOf = (
  request: ServiceRequest,
  figures: Pick<AccessLogEntry, 'status' | 'milliseconds' | 'address'>,
): AccessLogEntry => {
  const { tenantId, simulated } = request.notes;
  // Field by field: a spread of the first ones would make logging cost twice as much.
  return {
    requestId: request.id,
    trace: traceContext(request.headers.traceparent),
    method: request.method,
    url: shownTarget(request.target),
    operation: operationNameOf(request),
    status: figures.status,
    milliseconds: Math.round(figures.milliseconds),
    tenantId: tenantId ?? null,
    address: figures.address,
    ...(simulated === undefined ? {} : { simulated }),
  };
};
