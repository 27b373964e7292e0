import type { Clock } from '../../common/clock.js';
import type { JsonResponse } from './failures.js';
import type { NoteRequest } from './note-requests.js';
import { type ApiRequest, noteOperation } from './request.js';
import type { Route } from './routes.js';
import type { SimulateOperations } from './simulate.js';
import type { Transport } from './transport.js';

type Dependencies<R extends ApiRequest, A> = Readonly<{
  transport: Pick<Transport<R, A>, 'send' | 'sendUnexpected' | 'afterDelay' | 'forOrigin'>;
  /** What is done with every request before it is answered. */
  begin: (request: R) => void;
  /** The answer to a request that is refused before anybody looks at it; null: it is not. */
  refusal: (request: R) => JsonResponse | null;
  /** The answer to a request for which an error was thrown, which is logged. */
  unexpected: (request: R, cause: unknown) => JsonResponse;
  /** Milliseconds by which to delay the next request to the API. */
  delay: () => number;
  /** Answers what is simulated, or counted; null: nothing is. */
  simulate: SimulateOperations<R, A> | null;
  /** Adds requests to the journal; null: there is none. */
  note: NoteRequest<R> | null;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
}>;

/** Answers a request to an operation of the API with JSON, whatever happens. */
export type ServeOperation<R, A> = (request: R, route: Route) => Promise<A>;

export const serveOperations = <R extends ApiRequest, A>({
  transport: { send, sendUnexpected, afterDelay, forOrigin },
  begin,
  refusal,
  unexpected,
  delay,
  simulate,
  note,
  elapsed,
}: Dependencies<R, A>): ServeOperation<R, A> => {
  const respond = async (request: R, route: Route): Promise<A> => {
    const { endpoint, params } = route;
    const refused = refusal(request);
    if (refused !== null) return send(request, refused);
    noteOperation(request, endpoint.operation);
    if (simulate?.concerns(request) === true) return simulate.respond(request, route);
    return send(request, await endpoint.respondTo(request, params));
  };
  const respondToOrigin = async (request: R, route: Route): Promise<A> =>
    request.req.headers.origin === undefined
      ? respond(request, route)
      : forOrigin(request, () => respond(request, route));

  return async (request, route) => {
    const started = note === null ? 0 : elapsed();
    let answered: A;
    try {
      begin(request);
      const milliseconds = delay();
      answered =
        milliseconds > 0
          ? await afterDelay(request, milliseconds, () => respondToOrigin(request, route))
          : await respondToOrigin(request, route);
    } catch (cause) {
      answered = sendUnexpected(request, unexpected(request, cause));
    }
    note?.(request, started);
    return answered;
  };
};
