import * as E from 'fp-ts/lib/Either.js';
import type { Context } from 'koa';
import { hashCredentials, hashSecret } from '../../accounts/secrets.js';
import { timestampAt } from '../../codecs/timestamp.js';
import type { Clock } from '../../common/clock.js';
import type { AnyOperation } from '../../contract/operations.js';
import { type Effect, effectText } from '../../simulation/effect.js';
import type { LiveData } from '../../simulation/live-data.js';
import { preferredEffect } from '../../simulation/preferred-effect.js';
import type { RateLimit } from '../../simulation/rate-limit.js';
import type { Simulation } from '../../simulation/simulation.js';
import type { Storage } from '../../storage/port.js';
import { addressOf } from '../address-key.js';
import { valuesOf } from '../decoded-inputs.js';
import { afterDelay } from '../delay-api.js';
import type { Endpoint } from '../endpoint.js';
import type { Route } from '../operation-routes.js';
import { readCredentials } from '../read-credentials.js';
import { failureResponse } from '../response.js';
import type { JsonResponse } from '../send-json.js';
import { explainHeader, explanation, explanationHeader } from './explain.js';
import { hang } from './hang.js';
import { rateLimitHeaders } from './rate-limit-headers.js';
import { sendBroken } from './send-broken.js';
import { simulatedFailure } from './simulated-failure.js';
import { noteSimulated, simulatedHeader } from './simulated-note.js';

type Dependencies = Readonly<{
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
export type SimulateOperations = Readonly<{
  /** Whether a request is one of these. It takes next to no time. */
  concerns: (ctx: Context) => boolean;
  respond: (
    ctx: Context,
    route: Route,
    send: (ctx: Context, response: JsonResponse) => void,
  ) => Promise<void>;
}>;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: 'Prefer' | readonly string[] }>;

type Headers = Readonly<Record<string, string>>;

export const simulateOperations = ({
  simulation,
  live,
  rateLimit,
  storage,
  clock,
  emptyEndpoint,
}: Dependencies): SimulateOperations => {
  const tenantOfRequest = async (ctx: Context, { accepts }: AnyOperation): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(ctx.req.headers, accepts), timestampAt(clock()));
    if (E.isLeft(hashed)) return null;
    const caller = await storage.caller(hashed.right)();
    return E.isRight(caller) ? caller.right.userId : null;
  };

  /** What a client prefers, else what the rules want. */
  const wanted = async (
    ctx: Context,
    { operation }: Endpoint,
    { faults, maxHang }: Simulation,
  ): Promise<E.Either<readonly string[], Wanted | null>> => {
    const { prefer } = ctx.req.headers;
    if (prefer !== undefined) {
      const effect = preferredEffect(String(prefer), operation, maxHang);
      if (E.isLeft(effect)) return effect;
      if (effect.right !== null) return E.right({ effect: effect.right, by: 'Prefer' });
    }
    if (!faults.areActive()) return E.right(null);
    const tenant = faults.needTenant(operation.id) ? await tenantOfRequest(ctx, operation) : null;
    const applied = faults.apply({ operation: operation.id, tenant, query: valuesOf(ctx.querystring) });
    return E.right(applied === null ? null : { effect: applied, by: applied.rules });
  };

  const respondWith = async (
    ctx: Context,
    route: Route,
    { effect, by }: Wanted,
    given: Headers,
    simulated: Simulation,
    send: (response: JsonResponse, kind: Effect['kind']) => Promise<void>,
  ): Promise<void> => {
    const what = effectText(effect);
    const changed = live?.changed() ?? null;
    const note = `${what} (${by === 'Prefer' ? by : by.join(' ')})${changed === null ? '' : `, ${changed}`}`;
    noteSimulated(ctx, note);
    const headers = {
      ...given,
      [simulatedHeader]: note,
      ...(by === 'Prefer' ? { 'Preference-Applied': what } : {}),
    };
    const { endpoint, params } = route;
    const finish = async (): Promise<void> => {
      const { code, kind } = effect;
      if (kind === 'hang') return hang(ctx, simulated);
      const real = kind === 'empty' ? emptyEndpoint(endpoint) : endpoint;
      const response =
        code === null ? await real.respondTo(ctx, params) : simulatedFailure(endpoint.operation, code);
      return send(withHeaders(response, headers), kind);
    };
    return effect.delay > 0 ? afterDelay(ctx, effect.delay, finish) : finish();
  };

  return {
    concerns: ({ req: { headers } }) =>
      rateLimit !== null ||
      (simulation !== null &&
        (simulation.faults.areActive() ||
          (live?.changed() ?? null) !== null ||
          headers.prefer !== undefined ||
          headers[explainHeader] !== undefined)),
    respond: async (ctx, route, sendWhole) => {
      const { endpoint, params } = route;
      const counted = rateLimit === null ? null : await rateLimit.take(clientOf(ctx, endpoint.operation));
      const limits =
        rateLimit === null || counted === null ? {} : rateLimitHeaders(rateLimit.policy, counted);
      if (counted?.isExceeded === true) {
        const response = failureResponse({ _tag: 'RateLimited', retryAfterSeconds: counted.resetSeconds });
        return sendWhole(ctx, withHeaders(response, limits));
      }
      if (simulation === null)
        return sendWhole(ctx, withHeaders(await endpoint.respondTo(ctx, params), limits));

      const effect = await wanted(ctx, endpoint, simulation);
      if (E.isLeft(effect)) {
        const response = failureResponse({ _tag: 'ControlInvalid', problems: effect.left });
        return sendWhole(ctx, withHeaders(response, limits));
      }
      const send = async (response: JsonResponse, kind: Effect['kind']): Promise<void> => {
        const explained: Headers =
          ctx.req.headers[explainHeader] === '1'
            ? { [explanationHeader]: await explanation(ctx, route, clock, kind === 'empty') }
            : {};
        const whole = withHeaders(response, explained);
        if (kind === 'drop' || kind === 'truncate' || kind === 'malformed')
          return sendBroken(ctx, whole, kind);
        return sendWhole(ctx, whole);
      };
      if (effect.right !== null) return respondWith(ctx, route, effect.right, limits, simulation, send);
      const changed = live?.changed() ?? null;
      if (changed !== null) noteSimulated(ctx, changed);
      const headers = changed === null ? limits : { ...limits, [simulatedHeader]: changed };
      return send(withHeaders(await endpoint.respondTo(ctx, params), headers), null);
    },
  };
};

const withHeaders = (response: JsonResponse, headers: Headers): JsonResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** Whose requests are counted together: those with the same credentials, or else from the same address. */
const clientOf = (ctx: Context, { accepts }: AnyOperation): string => {
  const { sessionValue, bearerToken } = readCredentials(ctx.req.headers, accepts);
  const secret = bearerToken ?? sessionValue;
  return secret === null ? addressOf(ctx) : hashSecret(secret);
};
