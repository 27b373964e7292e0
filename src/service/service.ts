import { hashSecret } from '../accounts/sessions-and-tokens.js';
import type { AnyOperation } from '../contract/operations.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import type { Storage } from '../storage/port.js';
import { readCredentials } from '../protocol/credentials.js';
import { type EndpointDependencies, endpoints } from '../operations/endpoint.js';
import { failureResponse, unexpectedFailures } from '../protocol/failures.js';
import { type RateLimit, rateLimitHeaders } from './rate-limit.js';
import type { ApiRequest } from '../protocol/request.js';
import { type Compression, type Outcome, sentFor, withHeaders } from '../protocol/response.js';
import { operationRoutes, type Route } from './routes.js';
import { operationSimulator, tenantReader } from './simulate.js';

/** What the operations need, wherever their requests come from. */
export type OperationDependencies = EndpointDependencies &
  Readonly<{
    storage: Storage;
    /** Milliseconds by which to delay the next request to the API. */
    delay: () => number;
    /** What clients may have simulated; null: nothing. */
    simulation: Simulation | null;
    /** The clock and the data; null: they cannot be changed. */
    live: LiveData | null;
    /** Limits the requests of each client; null: there is no limit. */
    rateLimit: RateLimit | null;
  }>;

/** What differs with the place that requests come from. */
type Surroundings<R extends ApiRequest> = Readonly<{
  /** Null: no body is compressed. */
  compression: Compression | null;
  /** Waits for so many milliseconds. False: the client has left before. */
  wait: (request: R, milliseconds: number) => Promise<boolean>;
  /** What clients without credentials are told apart by: a network address. */
  addressOf: (request: R) => string;
  /** What logs say that a request is for. */
  operationOf: (request: R) => string;
}>;

/**
 * The way of every request to an operation, over a connection or by `fetch`: it is counted, may have
 * something simulated, and is answered by its endpoint.
 */
export const apiOperations = <R extends ApiRequest>(
  dependencies: OperationDependencies,
  surroundings: Surroundings<R>,
) => {
  const { log, delay, simulation, rateLimit } = dependencies;
  const { compression, wait, addressOf, operationOf } = surroundings;
  const prepare = sentFor(compression);
  const unexpected = unexpectedFailures(log, operationOf);
  const tenantOf = tenantReader(dependencies);
  const simulate = simulation && operationSimulator({ ...dependencies, simulation, prepare, wait });

  /** Whose requests are counted together: those with the same credentials, or else from the same address. */
  const clientOf = (request: R, { accepts }: AnyOperation): string => {
    const { sessionValue, bearerToken } = readCredentials(request.req.headers, accepts);
    const secret = bearerToken ?? sessionValue;
    return secret === null ? addressOf(request) : hashSecret(secret);
  };

  /** What the rate limit says of a request, and its headers; null: there is no limit. */
  const count = (request: R, operation: AnyOperation) => {
    if (rateLimit === null) return null;
    const state = rateLimit.take(clientOf(request, operation));
    return { ...state, headers: rateLimitHeaders(rateLimit.policy, state) };
  };

  return {
    /** The operation of a path, whatever the method; null: there is none. */
    routeOf: operationRoutes(endpoints(dependencies)),
    /** Answers a request to an operation, whatever happens. */
    answer: async (request: R, { endpoint, params }: Route): Promise<Outcome> => {
      const { refused } = request.state;
      try {
        const milliseconds = delay();
        if (milliseconds > 0 && !(await wait(request, milliseconds))) return 'Gone';
        if (refused !== undefined) return prepare(request, failureResponse(refused));
        request.state.operation = endpoint.operation.id;
        const counted = count(request, endpoint.operation);
        if (counted?.isExceeded === true) {
          if (simulation !== null) await tenantOf(request, endpoint.operation.accepts);
          const failure = { _tag: 'RateLimited', retryAfterSeconds: counted.resetSeconds } as const;
          return prepare(request, withHeaders(failureResponse(failure), counted.headers));
        }
        if (simulate?.concerns(request) === true)
          return await simulate.answer(request, { endpoint, params }, counted?.headers ?? {});
        const response = await endpoint.respondTo(request, params);
        return await prepare(request, counted === null ? response : withHeaders(response, counted.headers));
      } catch (cause) {
        return prepare(request, unexpected(request, cause));
      }
    },
  };
};
