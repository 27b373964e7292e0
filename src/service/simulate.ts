import * as E from '#fp-ts/Either';
import type { ClockOf } from '../common/clock.js';
import { sleep } from '../common/concurrency.js';
import { queryOf } from '../common/query-values.js';
import { runLater } from '../common/timers.js';
import type { AnyOperation } from '../contract/operations.js';
import type { Endpoint } from '../operations/endpoint.js';
import {
  type ApiRequest,
  masked,
  type ServiceRequest,
  simulatedHeader,
  warningHeader,
} from '../protocol/request.js';
import {
  type Headers,
  type JsonResponse,
  type Outcome,
  type Sent,
  sentOnPurpose,
  withHeaders,
} from '../protocol/response.js';
import type { Params } from '../protocol/routes.js';
import { alteredBody, type SimulatedResponse, simulatedResponse } from '../protocol/simulated-body.js';
import { type Effect, effectOf, effectText } from '../simulation/effect.js';
import { preferredEffect } from '../simulation/prefer-header.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import type { Found, Storage, TriageStorage } from '../storage/port.js';
import { tenantReader } from './tenant-reader.js';

/** How long the warning of ignored preferences may get: a client chooses what it names. */
const maxWarning = 500;

/** What a response says of ignored preferences, after what it says anyway; it is noted for the journal. */
export const preferenceWarning = (
  { notes }: ApiRequest,
  ignored: readonly string[],
  before = notes.headers?.[warningHeader],
): string => {
  const whole = `ignored ${ignored.join('; ignored ')}`.replaceAll(/[^ -~]/g, encodeURIComponent);
  const warning = whole.length > maxWarning ? `${whole.slice(0, maxWarning)}...` : whole;
  notes.warning = [...(notes.warning === undefined ? [] : [notes.warning]), masked(warning)].join('; ');
  return before === undefined ? warning : `${before}; ${warning}`;
};

/** Answers nothing, until the client leaves; at the bound or when the service stops, it is cut off. */
export const hang = async (
  { signal }: ServiceRequest,
  { maxHang, stopping }: Pick<Simulation, 'maxHang' | 'stopping'>,
): Promise<'Cut' | 'Gone'> => {
  // The process may end in the meantime if it has nothing else to do.
  await sleep(maxHang, signal, { later: runLater, orUntil: stopping });
  return signal.aborted ? 'Gone' : 'Cut';
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

/** How many bytes of slow bodies may wait for their clients, of all together. */
const maxHeld = 64_000_000;

type Dependencies = Readonly<{
  storage: Storage;
  clock: ClockOf;
  live: LiveData | null;
  simulation: Simulation;
  send: (request: ApiRequest, response: JsonResponse) => Sent | Promise<Sent>;
}>;

/** An effect, and what has led to it. */
type Wanted = Readonly<{ effect: Effect; by: string }>;

/** Answers requests to operations for which something is simulated. */
export const operationSimulator = (dependencies: Dependencies) => {
  const { simulation, live, storage, clock, send } = dependencies;
  const { faults, maxHang } = simulation;
  const tenantOf = tenantReader(dependencies);
  const empty = emptyLists(storage);
  let held = 0;
  const hold = (bytes: number) => {
    held += bytes;
    return (): void => {
      held -= bytes;
    };
  };

  /** What a client prefers, else what the rules want; null: neither wants anything. */
  const wanted = async (
    request: ServiceRequest,
    { id, accepts }: AnyOperation,
    params: Params,
    preferred: Effect | null,
  ): Promise<Wanted | null> => {
    if (preferred !== null) return { effect: preferred, by: 'Prefer' };
    if (!faults.areActive()) return null;
    const tenant = faults.needTenant(id) ? await tenantOf(request, accepts) : null;
    const { headers } = request;
    const query = queryOf(request.querystring);
    const applied = faults.apply({ operation: id, id: params.id, tenant, query, headers });
    return applied === null ? null : { effect: applied, by: applied.rules.join(' ') };
  };

  /** A response that also warns of the preferences that were ignored. */
  const warned = <A extends JsonResponse | SimulatedResponse>(
    request: ServiceRequest,
    response: A,
    ignored: readonly string[],
  ): A => {
    if (ignored.length === 0) return response;
    const warning = preferenceWarning(request, ignored, response.headers?.[warningHeader]);
    return withHeaders(response, { [warningHeader]: warning });
  };

  /** What is said about a response that is not the real one. */
  const noted = (request: ServiceRequest, found: Wanted | null): Headers => {
    const effect = found && effectText(found.effect);
    const changed = live?.changed(request.notes.tenantId ?? null) ?? null;
    const notes = [found && `${effect} (${found.by})`, changed].filter((each) => each !== null);
    if (notes.length === 0) return {};
    request.notes.simulated = notes.join(', ');
    return {
      [simulatedHeader]: request.notes.simulated,
      ...(effect !== null && found?.by === 'Prefer' ? { 'Preference-Applied': effect } : {}),
    };
  };

  return async (request: ServiceRequest, endpoint: Endpoint, params: Params): Promise<Outcome> => {
    const { operation } = endpoint;
    const { prefer } = request.headers;
    const preferred = prefer === undefined ? null : preferredEffect(String(prefer), operation, maxHang);
    const found = await wanted(request, operation, params, preferred?.effect ?? null);
    // No handler may get to know whose request it is, and the tenant may have a clock of its own.
    if ((found !== null || live?.isChanged() === true) && request.notes.tenantId === undefined)
      await tenantOf(request, operation.accepts);
    const { code, delay, kind, instead, alter, bytesPerSecond } = found?.effect ?? effectOf({});
    if (delay > 0 && !(await sleep(delay, request.signal))) {
      noted(request, found);
      return 'Gone';
    }
    if (kind === 'hang' || kind === 'drop') {
      noted(request, found);
      return kind === 'hang' ? hang(request, simulation) : 'Cut';
    }
    const finished = <A extends JsonResponse | SimulatedResponse>(
      response: A,
      what: Wanted | null,
      ignored: readonly string[] = [],
    ): A =>
      warned(request, withHeaders(response, noted(request, what)), [
        ...(preferred?.ignored ?? []),
        ...ignored,
      ]);
    const how = kind === 'truncate' || kind === 'malformed' ? kind : null;
    const paced = (sent: Sent): Sent => {
      if (kind !== 'cut' && bytesPerSecond === null) return sent;
      if (held + (sent.content?.length ?? 0) > maxHeld) {
        const error = `the slow bodies of others (bytesPerSecond) hold ${held} bytes of ${maxHeld}`;
        return sentOnPurpose(request, simulatedResponse(503, { body: { error } }, operation), null);
      }
      // Nobody may hold a connection for longer than a request that hangs does.
      const slowest = ((sent.content?.length ?? 0) * 1000) / maxHang;
      const speed = bytesPerSecond === null ? null : Math.max(bytesPerSecond, slowest);
      return { ...sent, pace: { bytesPerSecond: speed, isCut: kind === 'cut', hold } };
    };
    if (code !== null) {
      const failure = finished(simulatedResponse(code, instead, operation), found);
      return paced(sentOnPurpose(request, failure, how));
    }
    const rows = kind === 'empty' ? { rows: empty } : {};
    const real = await endpoint.respondTo(request, params, {
      clock: () => clock(request.notes.tenantId),
      ...rows,
    });
    const isFailure = real.status !== 200;
    const changed = isFailure || alter === undefined ? undefined : alteredBody(real.body, alter);
    const tooLong =
      changed === null
        ? [`alter (${found?.by}), by which the body would be longer than twice the real one and 64 kB`]
        : [];
    // What changes a 200 does nothing else, and is not said to have.
    const isIdle = (isFailure || changed === null) && kind === null && delay === 0 && bytesPerSecond === null;
    const whole = finished(real, isIdle ? null : found, tooLong);
    if (isFailure || (!changed && Object.keys(instead.headers ?? {}).length === 0))
      return paced(how === null ? await send(request, whole) : sentOnPurpose(request, whole, how));
    const headers = { ...whole.headers, ...instead.headers };
    const body = changed ?? whole.body;
    return paced(sentOnPurpose(request, { status: 200, headers, body }, how));
  };
};
