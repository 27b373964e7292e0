import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials, hashSecret } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { problem } from '../../contract/codecs/problem.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { TooManyRequestsBody } from '../../contract/error-bodies.js';
import type { AnyOperation } from '../../contract/operations.js';
import {
  type AppliedRules,
  type Effect,
  effectText,
  type FaultRules,
  tooManyRequests,
} from '../../simulation/fault-rules.js';
import { preferredEffect } from '../../simulation/prefer-header.js';
import type { LiveData, Simulation } from '../../simulation/simulation.js';
import type { Storage } from '../../storage/port.js';
import { readCredentials } from './credentials.js';
import type { Endpoint } from './endpoint.js';
import { explainHeader, explanation, explanationHeader } from './explain.js';
import { type Failure, failureHead, failureResponse, type JsonResponse, messageOf } from './failures.js';
import { valuesOf } from './parameters.js';
import { type RateLimit, rateLimitHeaders } from './rate-limit.js';
import { render } from './rendered.js';
import { type ApiRequest, noteSimulated, simulatedHeader } from './request.js';
import type { Route } from './routes.js';
import type { Transport } from './transport.js';

/** What rules do to a request that is for no operation, and how `X-Triage-Simulated` says it. */
type EffectOnOthers = Readonly<{ applied: AppliedRules; what: string }>;

/** Applies the rules to a request that is for no operation, and notes it; null: they leave it alone. */
export const effectOnOthers = (
  request: ApiRequest,
  faults: FaultRules,
  operation: string,
): EffectOnOthers | null => {
  if (!faults.areActive()) return null;
  const applied = faults.apply({ operation, tenant: null, query: valuesOf(request.querystring) });
  if (applied === null) return null;
  const what = `${effectText(applied)} (${applied.rules.join(' ')})`;
  noteSimulated(request, what);
  return { applied, what };
};

/**
 * Finds the endpoint of the same operation among those over empty lists, which are made when one is first
 * needed.
 */
export const emptyEndpointOf = (make: () => readonly Endpoint[]): ((endpoint: Endpoint) => Endpoint) => {
  let made: readonly Endpoint[] | undefined;
  return (endpoint) => {
    made ??= make();
    return made.find(({ operation }) => operation === endpoint.operation) ?? endpoint;
  };
};

/** A storage whose lists have no rows. Credentials are judged as usual. */
export const emptyLists = (storage: Storage): Storage => ({
  ...storage,
  repos: (credentials) =>
    pipe(
      storage.repos(credentials),
      TE.map(() => []),
    ),
  findings: (credentials, query) =>
    pipe(
      storage.findings(credentials, query),
      TE.map(() => ({ rows: [], total: 0 })),
    ),
  prs: (credentials, query) =>
    pipe(
      storage.prs(credentials, query),
      TE.map(() => ({ rows: [], total: 0 })),
    ),
});

/** Seconds that a simulated 429 asks to wait. */
const retryAfterSeconds = 1;

/** A failure for each status that can be simulated: it gives the message and the headers. */
const failures: Readonly<Record<number, Failure>> = {
  400: { _tag: 'InvalidParameters', problems: [problem([], 'this status was simulated')] },
  401: { _tag: 'Unauthorized' },
  404: { _tag: 'FindingNotFound' },
  429: { _tag: 'RateLimited', retryAfterSeconds },
  500: { _tag: 'Unexpected', cause: 'simulated' },
  503: { _tag: 'StorageUnavailable', cause: 'simulated' },
};

/** The failure that a status stands for. */
export const failureWith = (status: number): Failure =>
  failures[status] ?? { _tag: 'Unexpected', cause: `no failure has the status ${status}` };

/**
 * The response that an operation gives when it fails with a status: its body is of the codec that the
 * operation lists for that status.
 */
const simulatedFailure = ({ responses, accepts }: AnyOperation, status: number): JsonResponse => {
  const failure = failureWith(status);
  const codec = status === tooManyRequests ? TooManyRequestsBody : responses[status];
  const body = codec === undefined ? null : render(codec, { error: messageOf(failure) });
  return body === null || E.isLeft(body)
    ? failureResponse({ _tag: 'Unexpected', cause: `no body is known for ${status}` })
    : { ...failureHead(failure, accepts), body: body.right };
};

/** How a response can be broken on its way. */
export type Breakage = 'drop' | 'truncate' | 'malformed';

/** What is sent of a body, and how many bytes its head announces. */
type BrokenContent = Readonly<{ sent: Uint8Array; announced: number }>;

/** No JSON goes on after its end. */
const surplus = '}';

/**
 * What is sent of a response that is broken on purpose: the only place that changes what a codec has
 * accepted. It is sent without an `ETag`, so that no client keeps it.
 */
export const brokenContent = ({ body }: JsonResponse, how: Breakage): BrokenContent => {
  const encoder = new TextEncoder();
  if (how === 'malformed') {
    const longer = encoder.encode(`${body.json}${surplus}`);
    return { sent: longer, announced: longer.length };
  }
  const whole = encoder.encode(body.json);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  return { sent: half, announced: how === 'drop' ? whole.length : half.length };
};

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
