import * as E from '#fp-ts/Either';
import { hashCredentials, hashSecret } from '../../accounts/secrets.js';
import type { Clock } from '../../common/clock.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { AnyOperation } from '../../contract/operations.js';
import { type Effect, effectText } from '../../simulation/fault-rules.js';
import { preferredEffect } from '../../simulation/prefer-header.js';
import type { LiveData, Simulation } from '../../simulation/simulation.js';
import type { Storage } from '../../storage/port.js';
import type { ApiRequest } from './api-request.js';
import { valuesOf } from './decoded-inputs.js';
import type { Endpoint } from './endpoint.js';
import { explainHeader, explanation, explanationHeader } from './explain.js';
import { failureResponse } from './failure-response.js';
import type { JsonResponse } from './json-response.js';
import type { Route } from './operation-routes.js';
import { type RateLimit, rateLimitHeaders } from './rate-limit.js';
import { readCredentials } from './read-credentials.js';
import { simulatedFailure } from './simulated-failure.js';
import { noteSimulated, simulatedHeader } from './simulated-note.js';
import type { Transport } from './transport.js';

type Dependencies<R extends ApiRequest, A> = Readonly<{
  transport: Pick<Transport<R, A>, 'send' | 'sendBroken' | 'hang' | 'afterDelay' | 'addressOf'>;
  /** Null: nothing is simulated. */
  simulation: Simulation | null;
  /** The clock and the data; null: they cannot be changed. */
  live: LiveData | null;
  /** Null: there is no limit. */
  rateLimit: RateLimit | null;
  storage: Pick<Storage, 'caller'>;
  clock: Clock;
  /** The same endpoint over a storage whose lists are empty. */
  emptyEndpoint: (endpoint: Endpoint) => Endpoint;
}>;

/** Answers requests to operations for which something is simulated, or which are counted. */
export type SimulateOperations<R, A> = Readonly<{
  /** Whether a request is one of these. It takes next to no time. */
  concerns: (request: R) => boolean;
  respond: (request: R, route: Route) => Promise<A>;
}>;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: 'Prefer' | readonly string[] }>;

type Headers = Readonly<Record<string, string>>;

export const simulateOperations = <R extends ApiRequest, A>({
  transport,
  simulation,
  live,
  rateLimit,
  storage,
  clock,
  emptyEndpoint,
}: Dependencies<R, A>): SimulateOperations<R, A> => {
  const tenantOfRequest = async (request: R, { accepts }: AnyOperation): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(request.req.headers, accepts), timestampAt(clock()));
    if (E.isLeft(hashed)) return null;
    const caller = await storage.caller(hashed.right)();
    return E.isRight(caller) ? caller.right.userId : null;
  };

  /** What a client prefers, else what the rules want. */
  const wanted = async (
    request: R,
    { operation }: Endpoint,
    { faults, maxHang }: Simulation,
  ): Promise<E.Either<readonly string[], Wanted | null>> => {
    const { prefer } = request.req.headers;
    if (prefer !== undefined) {
      const effect = preferredEffect(String(prefer), operation, maxHang);
      if (E.isLeft(effect)) return effect;
      if (effect.right !== null) return E.right({ effect: effect.right, by: 'Prefer' });
    }
    if (!faults.areActive()) return E.right(null);
    const tenant = faults.needTenant(operation.id) ? await tenantOfRequest(request, operation) : null;
    const applied = faults.apply({ operation: operation.id, tenant, query: valuesOf(request.querystring) });
    return E.right(applied === null ? null : { effect: applied, by: applied.rules });
  };

  const respondWith = async (
    request: R,
    route: Route,
    { effect, by }: Wanted,
    given: Headers,
    simulated: Simulation,
    send: (response: JsonResponse, kind: Effect['kind']) => Promise<A>,
  ): Promise<A> => {
    const what = effectText(effect);
    const changed = live?.changed() ?? null;
    const note = `${what} (${by === 'Prefer' ? by : by.join(' ')})${changed === null ? '' : `, ${changed}`}`;
    noteSimulated(request, note);
    const headers = {
      ...given,
      [simulatedHeader]: note,
      ...(by === 'Prefer' ? { 'Preference-Applied': what } : {}),
    };
    const { endpoint, params } = route;
    const finish = async (): Promise<A> => {
      const { code, kind } = effect;
      if (kind === 'hang') return transport.hang(request, simulated);
      const real = kind === 'empty' ? emptyEndpoint(endpoint) : endpoint;
      const response =
        code === null ? await real.respondTo(request, params) : simulatedFailure(endpoint.operation, code);
      return send(withHeaders(response, headers), kind);
    };
    return effect.delay > 0 ? transport.afterDelay(request, effect.delay, finish) : finish();
  };

  /** Whose requests are counted together: those with the same credentials, or else from the same address. */
  const clientOf = (request: R, { accepts }: AnyOperation): string => {
    const { sessionValue, bearerToken } = readCredentials(request.req.headers, accepts);
    const secret = bearerToken ?? sessionValue;
    return secret === null ? transport.addressOf(request) : hashSecret(secret);
  };

  return {
    concerns: ({ req: { headers } }) =>
      rateLimit !== null ||
      (simulation !== null &&
        (simulation.faults.areActive() ||
          (live?.changed() ?? null) !== null ||
          headers.prefer !== undefined ||
          headers[explainHeader] !== undefined)),
    respond: async (request, route) => {
      const { endpoint, params } = route;
      const counted = rateLimit === null ? null : rateLimit.take(clientOf(request, endpoint.operation));
      const limits =
        rateLimit === null || counted === null ? {} : rateLimitHeaders(rateLimit.policy, counted);
      if (counted?.isExceeded === true) {
        const response = failureResponse({ _tag: 'RateLimited', retryAfterSeconds: counted.resetSeconds });
        return transport.send(request, withHeaders(response, limits));
      }
      if (simulation === null)
        return transport.send(request, withHeaders(await endpoint.respondTo(request, params), limits));

      const effect = await wanted(request, endpoint, simulation);
      if (E.isLeft(effect)) {
        const response = failureResponse({ _tag: 'ControlInvalid', problems: effect.left });
        return transport.send(request, withHeaders(response, limits));
      }
      const send = async (response: JsonResponse, kind: Effect['kind']): Promise<A> => {
        const explained: Headers =
          request.req.headers[explainHeader] === '1'
            ? { [explanationHeader]: await explanation(request, route, clock, kind === 'empty') }
            : {};
        const whole = withHeaders(response, explained);
        if (kind === 'drop' || kind === 'truncate' || kind === 'malformed')
          return transport.sendBroken(request, whole, kind);
        return transport.send(request, whole);
      };
      if (effect.right !== null) return respondWith(request, route, effect.right, limits, simulation, send);
      const changed = live?.changed() ?? null;
      if (changed !== null) noteSimulated(request, changed);
      const headers = changed === null ? limits : { ...limits, [simulatedHeader]: changed };
      return send(withHeaders(await endpoint.respondTo(request, params), headers), null);
    },
  };
};

const withHeaders = (response: JsonResponse, headers: Headers): JsonResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});
