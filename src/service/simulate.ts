import * as E from '#fp-ts/Either';
import { hashCredentials } from '../accounts/sessions-and-tokens.js';
import type { Clock } from '../common/clock.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { AnyOperation, CredentialKind } from '../contract/operations.js';
import { type Effect, effectOf, effectText } from '../simulation/effect.js';
import type { AppliedRules, FaultRules } from '../simulation/fault-rules.js';
import { preferredEffect, unusedPreferences } from '../simulation/prefer-header.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Found, Storage, TriageStorage } from '../storage/port.js';
import type { OperationDependencies } from './service.js';
import { readCredentials } from '../protocol/credentials.js';
import { valuesOf } from '../operations/parameters.js';
import { type ApiRequest, masked, simulatedHeader, warningHeader } from '../protocol/request.js';
import { type JsonResponse, type Outcome, type Sent, sentOnPurpose, withHeaders } from '../protocol/response.js';
import type { Route } from './routes.js';
import { type SimulatedResponse, simulatedResponse } from '../protocol/simulated-body.js';

/** Asks for an explanation, with the value 1. */
const explainHeader = 'x-triage-explain';

/** The response header that has it. */
export const explanationHeader = 'X-Triage-Explanation';

/** How many rows there are once a filter is applied; null: before the first. `empty` is a simulated one. */
type Step = Readonly<{ filter: string | null; total: number; onPage: number }>;

/** The step after all filters that a simulated `empty` is. */
const emptied: Step = { filter: 'empty (simulated)', total: 0, onPage: 0 };

/** What narrows a list, in the order in which it does. */
const filters = ['repoId', 'severity', 'status'];

/** How much of a value is shown: a header must not grow too long. */
const maxShown = 60;

/**
 * Why a list has the rows that it has, as JSON in ASCII: the rows before and after each filter, as real
 * responses to requests with fewer filters count them. Failures, and operations without a list, have no
 * steps. `isEmptied`: whether the list has been emptied on purpose.
 */
const explanation = async (
  request: ApiRequest,
  route: Route,
  clock: Clock,
  isEmptied: boolean,
): Promise<string> => {
  const found = await steps(request, route, clock);
  const rows = isEmptied && found.length > 0 ? [...found, emptied] : found;
  const tenant = request.state.tenantId ?? null;
  return inAscii(JSON.stringify({ tenant, clock: timestampAt(clock()), rows }));
};

const steps = async (
  request: ApiRequest,
  { endpoint, params }: Route,
  clock: Clock,
): Promise<readonly Step[]> => {
  const query = valuesOf(request.querystring);
  const known = Object.keys(endpoint.operation.queryParameters.type.props);
  const given = (name: string): string => query.get(name)?.[0] ?? '';
  const asked = known.filter((name) => query.has(name) && !filters.includes(name));
  const found: Step[] = [];
  for (const filter of [null, ...filters.filter((name) => known.includes(name) && query.has(name))]) {
    if (filter !== null) asked.push(filter);
    const fewer = new URLSearchParams(asked.map((name): [string, string] => [name, given(name)]));
    const { status, body } = await endpoint.respondTo(request, params, {
      querystring: fewer.toString(),
      clock,
    });
    const counted = status === 200 ? countRows(JSON.parse(body.json)) : null;
    if (counted === null) break;
    found.push({ filter: filter === null ? null : `${filter}=${shown(given(filter))}`, ...counted });
  }
  return found;
};

const shown = (value: string): string => (value.length > maxShown ? `${value.slice(0, maxShown)}...` : value);

/** The rows of a list or of a page of one; null: it is neither. */
const countRows = (body: unknown): Pick<Step, 'total' | 'onPage'> | null => {
  if (Array.isArray(body)) return { total: body.length, onPage: body.length };
  const { items, totalItems } = Object(body);
  return Array.isArray(items) && typeof totalItems === 'number'
    ? { total: totalItems, onPage: items.length }
    : null;
};

const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What rules do to a request that is for no operation, and how `X-Triage-Simulated` says it. */
type EffectOnOthers = Readonly<{ applied: AppliedRules; what: string }>;

/** How long the warning of ignored preferences may get: a client chooses what it names. */
const maxWarning = 500;

/** What a response says of ignored preferences, after what it says anyway; it is noted for the journal. */
const warningOf = ({ state }: ApiRequest, ignored: readonly string[], before = state.lostSession): string => {
  const whole = `ignored ${ignored.join('; ignored ')}`.replaceAll(/[^ -~]/g, encodeURIComponent);
  const warning = whole.length > maxWarning ? `${whole.slice(0, maxWarning)}...` : whole;
  state.warning = [...(state.warning === undefined ? [] : [state.warning]), masked(warning)].join('; ');
  return before === undefined ? warning : `${before}; ${warning}`;
};

/** The warning of a response that is for no operation: of what a client prefers there; null: nothing. */
export const unusedPreferenceWarning = (request: ApiRequest): string | null => {
  const { prefer } = request.req.headers;
  const unused = prefer === undefined ? [] : unusedPreferences(String(prefer));
  return unused.length === 0 ? null : warningOf(request, unused);
};

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

const none = { rows: [], total: 0 };

/** A storage whose lists have no rows. Credentials are judged as usual. */
const emptyLists = (storage: TriageStorage): TriageStorage => ({
  ...storage,
  repos: async (by) => without(await storage.repos(by), []),
  findings: async (by, query) => without(await storage.findings(by, query), none),
  prs: async (by, query) => without(await storage.prs(by, query), none),
});

const without = <Err, Rows>(found: E.Either<Err, Found<unknown>>, rows: Rows): E.Either<Err, Found<Rows>> =>
  E.map(({ caller }: Found<unknown>) => ({ caller, version: null, rows }))(found);

/** On whose behalf a request acts, which is noted for the journal; null: nobody's. */
export const tenantReader =
  ({ storage, clock }: Readonly<{ storage: Pick<Storage, 'caller'>; clock: Clock }>) =>
  async ({ req, state }: ApiRequest, accepts: readonly CredentialKind[]): Promise<string | null> => {
    const hashed = hashCredentials(readCredentials(req.headers, accepts), timestampAt(clock()));
    const caller = E.isLeft(hashed) ? hashed : await storage.caller(hashed.right);
    if (E.isLeft(caller)) return null;
    state.tenantId = caller.right.userId;
    return state.tenantId;
  };

type Dependencies<R extends ApiRequest> = Pick<OperationDependencies, 'storage' | 'clock' | 'live'> &
  Readonly<{
    simulation: Simulation;
    prepare: (request: R, response: JsonResponse) => Sent | Promise<Sent>;
    /** Waits for so many milliseconds. False: the client has left before. */
    wait: (request: R, milliseconds: number) => Promise<boolean>;
  }>;

type Headers = Readonly<Record<string, string>>;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: string }>;

/** Answers requests to operations for which something is simulated, or which want an explanation. */
export const operationSimulator = <R extends ApiRequest>(dependencies: Dependencies<R>) => {
  const { simulation, live, storage, clock, prepare, wait } = dependencies;
  const { faults, maxHang } = simulation;
  const tenantOf = tenantReader(dependencies);
  const empty = emptyLists(storage);

  /** What a client prefers, else what the rules want; null: neither wants anything. */
  const wanted = async (
    request: R,
    { id, accepts }: AnyOperation,
    preferred: Effect | null,
  ): Promise<Wanted | null> => {
    if (preferred !== null) return { effect: preferred, by: 'Prefer' };
    if (!faults.areActive()) return null;
    const tenant = faults.needTenant(id) ? await tenantOf(request, accepts) : null;
    const { headers } = request.req;
    const query = valuesOf(request.querystring);
    const applied = faults.apply({ operation: id, tenant, query, headers });
    return applied === null ? null : { effect: applied, by: applied.rules.join(' ') };
  };

  /** A response that also warns of the preferences that were ignored. */
  const warned = <A extends JsonResponse | SimulatedResponse>(
    request: R,
    response: A,
    ignored: readonly string[],
  ): A => {
    if (ignored.length === 0) return response;
    const warning = warningOf(request, ignored, response.headers?.[warningHeader]);
    return withHeaders(response, { [warningHeader]: warning });
  };

  /** What is said about a response that is not the real one. */
  const noted = (request: R, found: Wanted | null): Headers => {
    const effect = found && effectText(found.effect);
    const changed = live?.changed(request.state.tenantId ?? null) ?? null;
    const notes = [found && `${effect} (${found.by})`, changed].filter((each) => each !== null);
    if (notes.length === 0) return {};
    request.state.simulated = notes.join(', ');
    return {
      [simulatedHeader]: request.state.simulated,
      ...(effect !== null && found?.by === 'Prefer' ? { 'Preference-Applied': effect } : {}),
    };
  };

  return {
    /** Whether a request is one of these. */
    concerns: ({ req: { headers } }: R): boolean =>
      faults.areActive() ||
      live?.isChanged() === true ||
      headers.prefer !== undefined ||
      headers[explainHeader] !== undefined,
    /** `headers`: what the response has besides. */
    answer: async (request: R, route: Route, headers: Headers): Promise<Outcome> => {
      const { endpoint, params } = route;
      const { operation } = endpoint;
      const { prefer } = request.req.headers;
      const preferred = prefer === undefined ? null : preferredEffect(String(prefer), operation, maxHang);
      const found = await wanted(request, operation, preferred?.effect ?? null);
      // No handler may get to know whose request it is, and the tenant may have a clock of its own.
      if ((found !== null || live?.isChanged() === true) && request.state.tenantId === undefined)
        await tenantOf(request, operation.accepts);
      const by = live?.tenants.ownClock(request.state.tenantId ?? '') ?? clock;
      const notes = noted(request, found);
      const { code, delay, kind, instead } = found?.effect ?? effectOf({});
      if (delay > 0 && !(await wait(request, delay))) return 'Gone';
      if (kind === 'hang') return 'Hang';
      if (kind === 'drop') return 'Drop';
      const finished = async <A extends JsonResponse | SimulatedResponse>(response: A): Promise<A> => {
        const isExplained = request.req.headers[explainHeader] === '1';
        const explained = isExplained && {
          [explanationHeader]: await explanation(request, route, by, kind === 'empty'),
        };
        const whole = withHeaders(response, { ...headers, ...explained, ...notes });
        return warned(request, whole, preferred?.ignored ?? []);
      };
      const how = kind === 'truncate' || kind === 'malformed' ? kind : null;
      if (code !== null)
        return sentOnPurpose(request, await finished(simulatedResponse(code, instead, operation)), how);
      const rows = kind === 'empty' ? { rows: empty } : {};
      const real = await finished(await endpoint.respondTo(request, params, { clock: by, ...rows }));
      return how === null ? prepare(request, real) : sentOnPurpose(request, real, how);
    },
  };
};
