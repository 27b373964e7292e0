import type { Clock } from '../../common/clock.js';
import type { Journal } from '../../simulation/journal.js';
import { type ApiRequest, requestIdOf, simulatedOf, tenantOf, warningOf } from './request.js';

/**
 * Adds a request to the journal once its response has been written. `started`: what `elapsed` said before.
 */
export type NoteRequest<R> = (request: R, started: number) => void;

type Dependencies<R> = Readonly<{
  clock: Clock;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  operationOf: (request: R) => string;
  /** The status that a request has been answered with. */
  statusOf: (request: R) => number;
}>;

/** The texts are kept as they are, and made presentable when somebody reads the journal. */
export const noteRequests =
  <R extends ApiRequest>(
    journal: Journal,
    { clock, elapsed, operationOf, statusOf }: Dependencies<R>,
  ): NoteRequest<R> =>
  (request, started) => {
    journal.add({
      at: clock(),
      requestId: requestIdOf(request),
      method: request.method,
      target: request.req.url ?? '',
      operation: operationOf(request),
      status: statusOf(request),
      milliseconds: Math.round(elapsed() - started),
      tenant: tenantOf(request),
      simulated: simulatedOf(request),
      warning: warningOf(request),
    });
  };
