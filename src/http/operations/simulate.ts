import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
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
import { type Failure, failureHead, failureResponse, messageOf } from './failures.js';
import { valuesOf } from './parameters.js';
import { render } from './rendered.js';
import { type ApiRequest, simulatedHeader } from './request.js';
import { broken, type JsonResponse, type Outcome, type Sent, withHeaders } from './response.js';
import type { Route } from './routes.js';

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
  request.state.simulated = what;
  return { applied, what };
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

type Dependencies<R extends ApiRequest> = Readonly<{
  simulation: Simulation;
  /** The clock and the data; null: they cannot be changed. */
  live: LiveData | null;
  storage: Pick<Storage, 'caller'>;
  clock: Clock;
  send: (request: R, response: JsonResponse) => Sent | Promise<Sent>;
  /** Waits for so many milliseconds. False: the client has left before. */
  wait: (request: R, milliseconds: number) => Promise<boolean>;
  /** The endpoints over a storage whose lists are empty. */
  emptyEndpoints: () => readonly Endpoint[];
}>;

type Headers = Readonly<Record<string, string>>;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: 'Prefer' | readonly string[] }>;

/** Answers requests to operations for which something is simulated, or which want an explanation. */
export type OperationSimulator<R extends ApiRequest> = Readonly<{
  /** Whether a request is one of these. */
  concerns: (request: R) => boolean;
  /** `headers`: what the response has besides. */
  answer: (request: R, route: Route, headers: Headers) => Promise<Outcome>;
}>;

export const operationSimulator = <R extends ApiRequest>({
  simulation,
  live,
  storage,
  clock,
  send,
  wait,
  emptyEndpoints,
}: Dependencies<R>): OperationSimulator<R> => {
  const { faults, maxHang } = simulation;
  const changed = (): string | null => live?.changed() ?? null;

  const tenantOfRequest = async (request: R, { accepts }: AnyOperation): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(request.req.headers, accepts), timestampAt(clock()));
    if (E.isLeft(hashed)) return null;
    const caller = await storage.caller(hashed.right)();
    return E.isRight(caller) ? caller.right.userId : null;
  };

  /** What a client prefers, else what the rules want. `left`: the client prefers what is not possible. */
  const wanted = async (
    request: R,
    operation: AnyOperation,
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

  /** What is said about a response that is not the real one. */
  const noted = (request: R, found: Wanted | null): Headers => {
    const by = found === null ? [] : [found.by === 'Prefer' ? found.by : found.by.join(' ')];
    const what = found === null ? [] : [`${effectText(found.effect)} (${by})`];
    const note = [...what, ...(changed() === null ? [] : [changed()])].join(', ');
    if (note === '') return {};
    request.state.simulated = note;
    return {
      [simulatedHeader]: note,
      ...(found?.by === 'Prefer' ? { 'Preference-Applied': effectText(found.effect) } : {}),
    };
  };

  const sendAs = async (
    request: R,
    route: Route,
    response: JsonResponse,
    kind: Effect['kind'],
  ): Promise<Outcome> => {
    const isExplained = request.req.headers[explainHeader] === '1';
    const explained = isExplained
      ? { [explanationHeader]: await explanation(request, route, clock, kind === 'empty') }
      : {};
    const whole = withHeaders(response, explained);
    return kind === 'drop' || kind === 'truncate' || kind === 'malformed'
      ? broken(request, whole, kind)
      : send(request, whole);
  };

  return {
    concerns: ({ req: { headers } }) =>
      faults.areActive() ||
      changed() !== null ||
      headers.prefer !== undefined ||
      headers[explainHeader] !== undefined,
    answer: async (request, route, headers) => {
      const { endpoint, params } = route;
      const { operation } = endpoint;
      const found = await wanted(request, operation);
      if (E.isLeft(found)) {
        const failure = failureResponse({ _tag: 'ControlInvalid', problems: found.left });
        return send(request, withHeaders(failure, headers));
      }
      const notes = noted(request, found.right);
      const { code, delay, kind } = found.right?.effect ?? { code: null, delay: 0, kind: null };
      if (delay > 0 && !(await wait(request, delay))) return 'Gone';
      if (kind === 'hang') return 'Hang';
      const empty = kind === 'empty' ? emptyEndpoints().find((each) => each.operation === operation) : null;
      const response =
        code === null
          ? await (empty ?? endpoint).respondTo(request, params)
          : simulatedFailure(operation, code);
      return sendAs(request, route, withHeaders(response, { ...headers, ...notes }), kind);
    },
  };
};
