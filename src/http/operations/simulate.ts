import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { AnyOperation } from '../../contract/operations.js';
import { type Effect, effectOf, effectText } from '../../simulation/effect.js';
import type { AppliedRules, FaultRules } from '../../simulation/fault-rules.js';
import { preferredEffect } from '../../simulation/prefer-header.js';
import type { LiveData, Simulation } from '../../simulation/simulation.js';
import type { Storage } from '../../storage/port.js';
import { readCredentials } from './credentials.js';
import type { Endpoint } from './endpoint.js';
import { explainHeader, explanation, explanationHeader } from './explain.js';
import { valuesOf } from './parameters.js';
import { type ApiRequest, simulatedHeader, warningHeader } from './request.js';
import { type JsonResponse, type Outcome, type Sent, sentOnPurpose, withHeaders } from './response.js';
import type { Route } from './routes.js';
import { type SimulatedResponse, simulatedResponse } from './simulated-body.js';
import { masked } from './target.js';

/** What rules do to a request that is for no operation, and how `X-Triage-Simulated` says it. */
type EffectOnOthers = Readonly<{ applied: AppliedRules; what: string }>;

/** Applies the rules to a request that is for no operation, and notes it; null: they leave it alone. */
export const effectOnOthers = (
  request: ApiRequest,
  faults: FaultRules,
  operation: string,
): EffectOnOthers | null => {
  if (!faults.areActive()) return null;
  const { headers } = request.req;
  const applied = faults.apply({ operation, tenant: null, query: valuesOf(request.querystring), headers });
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
  /** The endpoints for tenants with a clock of their own. */
  endpointsBy: (clock: Clock) => readonly Endpoint[];
}>;

type Headers = Readonly<Record<string, string>>;

/** How long the warning of ignored preferences may get: a client chooses what it names. */
const maxWarning = 500;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: 'Prefer' | readonly string[] }>;

/** Answers requests to operations for which something is simulated, or which want an explanation. */
export type OperationSimulator<R extends ApiRequest> = Readonly<{
  /** Whether a request is one of these. */
  concerns: (request: R) => boolean;
  /** `headers`: what the response has besides. */
  answer: (request: R, route: Route, headers: Headers) => Promise<Outcome>;
  /** Notes for the journal on whose behalf a request acts that is answered before anything reads it. */
  noteTenant: (request: R, operation: AnyOperation) => Promise<unknown>;
}>;

export const operationSimulator = <R extends ApiRequest>({
  simulation,
  live,
  storage,
  clock,
  send,
  wait,
  emptyEndpoints,
  endpointsBy,
}: Dependencies<R>): OperationSimulator<R> => {
  const { faults, maxHang } = simulation;
  /** On whose behalf a request acts, which is noted; null: nobody's. */
  const tenantOf = async ({ req, state }: R, { accepts }: AnyOperation): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(req.headers, accepts), timestampAt(clock()));
    const caller = E.isLeft(hashed) ? hashed : await storage.caller(hashed.right)();
    if (E.isLeft(caller)) return null;
    state.tenantId = caller.right.userId;
    return state.tenantId;
  };

  /** What a client prefers, else what the rules want; null: neither wants anything. */
  const wanted = async (
    request: R,
    operation: AnyOperation,
    preferred: Effect | null,
  ): Promise<Wanted | null> => {
    if (preferred !== null) return { effect: preferred, by: 'Prefer' };
    if (!faults.areActive()) return null;
    const { id } = operation;
    const tenant = faults.needTenant(id) ? await tenantOf(request, operation) : null;
    const { headers } = request.req;
    const query = valuesOf(request.querystring);
    const applied = faults.apply({ operation: id, tenant, query, headers });
    return applied === null ? null : { effect: applied, by: applied.rules };
  };

  /** A response that also warns of the preferences that were ignored. */
  const warned = <A extends JsonResponse | SimulatedResponse>(
    request: R,
    response: A,
    ignored: readonly string[],
  ): A => {
    if (ignored.length === 0) return response;
    const whole = `ignored ${ignored.join('; ignored ')}`.replaceAll(/[^ -~]/g, encodeURIComponent);
    const warning = whole.length > maxWarning ? `${whole.slice(0, maxWarning)}...` : whole;
    const { warning: others, lostSession } = request.state;
    request.state.warning = [...(others === undefined ? [] : [others]), masked(warning)].join('; ');
    const before = response.headers?.[warningHeader] ?? lostSession;
    return withHeaders(response, {
      [warningHeader]: before === undefined ? warning : `${before}; ${warning}`,
    });
  };

  /** What is said about a response that is not the real one. */
  const noted = (request: R, found: Wanted | null): Headers => {
    const by = found === null ? [] : [found.by === 'Prefer' ? found.by : found.by.join(' ')];
    const what = found === null ? [] : [`${effectText(found.effect)} (${by})`];
    const changed = live?.changed(request.state.tenantId ?? null) ?? null;
    const note = [...what, ...(changed === null ? [] : [changed])].join(', ');
    if (note === '') return {};
    request.state.simulated = note;
    return {
      [simulatedHeader]: note,
      ...(found?.by === 'Prefer' ? { 'Preference-Applied': effectText(found.effect) } : {}),
    };
  };

  return {
    noteTenant: tenantOf,
    concerns: ({ req: { headers } }) =>
      faults.areActive() ||
      live?.isChanged() === true ||
      headers.prefer !== undefined ||
      headers[explainHeader] !== undefined,
    answer: async (request, route, headers) => {
      const { params } = route;
      const { operation } = route.endpoint;
      const { prefer } = request.req.headers;
      const preferred = prefer === undefined ? null : preferredEffect(String(prefer), operation, maxHang);
      const found = await wanted(request, operation, preferred?.effect ?? null);
      // No handler may get to know whose request it is, and the tenant may have a clock of its own.
      if ((found !== null || live?.isChanged() === true) && request.state.tenantId === undefined)
        await tenantOf(request, operation);
      const own = live?.tenants.ownClock(request.state.tenantId ?? '') ?? null;
      const endpointOf = (endpoints: readonly Endpoint[]): Endpoint =>
        endpoints.find((each) => each.operation === operation) ?? route.endpoint;
      const endpoint = own === null ? route.endpoint : endpointOf(endpointsBy(own));
      const notes = noted(request, found);
      const { code, delay, kind, instead } = found?.effect ?? effectOf({});
      if (delay > 0 && !(await wait(request, delay))) return 'Gone';
      if (kind === 'hang') return 'Hang';
      if (kind === 'drop') return 'Drop';
      const finished = async <A extends JsonResponse | SimulatedResponse>(response: A): Promise<A> => {
        const explained =
          request.req.headers[explainHeader] === '1'
            ? await explanation(request, { endpoint, params }, own ?? clock, kind === 'empty')
            : null;
        const more = explained === null ? {} : { [explanationHeader]: explained };
        const whole = withHeaders(response, { ...headers, ...more, ...notes });
        return warned(request, whole, preferred?.ignored ?? []);
      };
      const how = kind === 'truncate' || kind === 'malformed' ? kind : null;
      if (code !== null)
        return sentOnPurpose(request, await finished(simulatedResponse(code, instead, operation)), how);
      const answering = kind === 'empty' ? endpointOf(emptyEndpoints()) : endpoint;
      const real = await finished(await answering.respondTo(request, params));
      return how === null ? send(request, real) : sentOnPurpose(request, real, how);
    },
  };
};
