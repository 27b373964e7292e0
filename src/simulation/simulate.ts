import * as E from '#fp-ts/Either';
import type { Call, Context, Serve } from '../api/call.js';
import { type ApiRequest, masked, queryValue, type ServiceRequest, simulatedHeader } from '../api/request.js';
import {
  type Answer,
  type Headers,
  type Outcome,
  type Pace,
  withHeaders,
  withWarning,
} from '../api/response.js';
import type { Found, TriageStorage } from '../api/storage-port.js';
import { type TenantIndex, tenantIndex } from '../api/tenant-index.js';
import type { ClockOf } from '../common/clock.js';
import { sleep } from '../common/concurrency.js';
import { queryOf } from '../common/query-values.js';
import { type Later, runLater } from '../common/timers.js';
import { formatProblem } from '../contract/codecs/problem.js';
import type { AnyOperation } from '../contract/operations.js';
import { maxLimit } from '../contract/page-and-limit.js';
import { type Effect, effectOf, effectText } from './effect.js';
import type { AppliedRules } from './fault-rules.js';
import { pacedBody } from './paced-body.js';
import { patchOf } from './patches.js';
import { preferredEffect } from './prefer-header.js';
import { alteredBody, purposeBody, simulatedResponse } from './simulated-body.js';
import { type LiveData, refusalLines, type Simulation } from './simulation.js';

/** How long the warning of ignored preferences may get: a client chooses what it names. */
const maxWarning = 500;

/** An answer that also warns of the preferences that were ignored, which is noted for the journal. */
export const warnOfPreferences = (
  { notes }: ApiRequest,
  answer: Answer,
  ignored: readonly string[],
): Answer => {
  if (ignored.length === 0) return answer;
  const whole = `ignored ${ignored.join('; ignored ')}`.replaceAll(/[^ -~]/g, encodeURIComponent);
  const warning = whole.length > maxWarning ? `${whole.slice(0, maxWarning)}...` : whole;
  notes.warning = [...(notes.warning === undefined ? [] : [notes.warning]), masked(warning)].join('; ');
  return withWarning(answer, warning);
};

/** What happens to a request before it is answered: it waits, or gets no answer. Null: it is answered. */
export const stall = async (
  { delay, kind }: Effect,
  hold: Later | null,
  { signal }: ServiceRequest,
  { maxHang, stopping }: Pick<Simulation, 'maxHang' | 'stopping'>,
): Promise<'Cut' | 'Held' | 'Gone' | null> => {
  if (delay > 0 && !(await sleep(delay, signal))) return 'Gone';
  if (kind === 'drop') return 'Cut';
  // The process may end in the meantime if it has nothing else to do.
  if (kind === 'hang') await sleep(maxHang, signal, { later: runLater, orUntil: stopping });
  else if (hold === null || (await sleep(0, signal, { later: hold, orUntil: stopping }))) return null;
  return signal.aborted ? 'Gone' : 'Held';
};

/** Changes the data as rules say that have had their turn, before the next request can come. */
export const withChanges = async (
  outcome: Outcome,
  { notes }: ApiRequest,
  { changes }: AppliedRules,
  live: LiveData | null,
): Promise<Outcome> => {
  let answer = outcome;
  for (const { rule, tenant = notes.tenantId, patch } of changes) {
    if (live === null || tenant === undefined) continue;
    const changed = await live.change(tenant, patchOf(patch));
    if (E.isRight(changed) || typeof answer === 'string') continue;
    const lines = refusalLines('tenant', formatProblem)(changed.left);
    answer = withWarning(answer, `the patch of ${rule} was refused: ${lines.join('; ')}`);
  }
  return answer;
};

const noRows = tenantIndex({ repos: [], scans: [], fixDrafts: [], pullRequests: [] });

/** A storage with these rows in place of its own. Credentials are judged as usual. */
const withRows = (storage: TriageStorage, rows: TenantIndex): TriageStorage => ({
  repos: async (by) => having(await storage.repos(by), rows.repos),
  findings: async (by, query) => having(await storage.findings(by, query), rows.findings(query)),
  finding: async (by, id) => having(await storage.finding(by, id), rows.finding(id)),
  prs: async (by, query) => having(await storage.prs(by, query), rows.prs(query)),
});

const having = <Err, Rows>(found: E.Either<Err, Found<unknown>>, rows: Rows): E.Either<Err, Found<Rows>> =>
  E.map(({ caller }: Found<unknown>) => ({ caller, version: null, rows }))(found);

/** How many bytes of slow bodies may wait for their clients, of all together. */
const maxHeld = 64_000_000;

/** An effect, and what has led to it: a preference, or rules. */
type Cause = Readonly<{
  effect: Effect;
  by: string;
  applied?: AppliedRules;
  /** The state that was preferred, and its rows; null: those of the caller. */
  state?: Readonly<{ id: string; rows: TenantIndex | null }>;
}>;

/** Answers requests to operations for which something is simulated. */
export const operationSimulator = (
  simulation: Simulation,
  live: LiveData | null,
  clock: ClockOf,
  next: Serve,
) => {
  const { faults, maxHang } = simulation;
  let heldBytes = 0;
  const hold = (bytes: number) => {
    heldBytes += bytes;
    return (): void => {
      heldBytes -= bytes;
    };
  };

  /** What the rules do to a request; null: nothing. */
  const ruled = async ({ request, identity, params }: Call, { id }: AnyOperation): Promise<Cause | null> => {
    if (!faults.areActive()) return null;
    const caller = faults.needTenant(id) ? await identity.caller() : null;
    const tenant = caller !== null && E.isRight(caller) ? caller.right.userId : null;
    const query = queryOf(request.querystring);
    const applied = faults.apply({ operation: id, id: params.id, tenant, query, headers: request.headers });
    return applied === null ? null : { effect: applied, by: applied.rules.join(' '), applied };
  };

  /** What is said about an answer that is not the real one, which is noted for the journal. */
  const describe = ({ notes }: ApiRequest, cause: Cause | null): Headers => {
    const effect = cause && (cause.state ? `state=${cause.state.id}` : effectText(cause.effect));
    const changed = live?.changed(notes.tenantId ?? null) ?? null;
    const facts = [effect ? `${effect} (${cause?.by})` : null, changed].filter((each) => each !== null);
    if (facts.length === 0) return {};
    notes.simulated = facts.join(', ');
    return {
      [simulatedHeader]: notes.simulated,
      ...(effect !== null && cause?.by === 'Prefer' ? { 'Preference-Applied': effect } : {}),
    };
  };

  const respond = async (
    call: Call,
    operation: AnyOperation,
    cause: Cause | null,
    preferred: ReturnType<typeof preferredEffect> | null,
  ): Promise<Outcome> => {
    const { request, identity } = call;
    // No handler may get to know whose request it is, and the tenant may have a clock of its own.
    if (cause !== null || live?.isChanged() === true) await identity.caller();
    const effect = cause?.effect ?? effectOf({});
    const { code, delay, kind, instead, alter, bytesPerSecond } = effect;
    const stalled = await stall(effect, cause?.applied?.hold ?? null, request, simulation);
    if (stalled !== null) {
      describe(request, cause);
      return stalled;
    }
    // What has waited is answered as if it came now: clock and data may have changed meanwhile.
    if (cause !== null) identity.judgeAnew();
    const finish = (answer: Answer, what: Cause | null, ignored: readonly string[] = []): Answer =>
      warnOfPreferences(request, withHeaders(answer, describe(request, what)), [
        ...(preferred?.ignored ?? []),
        ...ignored,
      ]);
    const breakage = kind === 'truncate' || kind === 'malformed' ? kind : null;
    const pace = (answer: Answer): Answer => {
      if (kind !== 'cut' && bytesPerSecond === null) return answer;
      const length = answer.body?.bytes.length ?? 0;
      if (heldBytes + length > maxHeld) {
        const error = `the slow bodies of others (bytesPerSecond) hold ${heldBytes} bytes of ${maxHeld}`;
        const { body, ...refusal } = simulatedResponse(503, { body: { error } }, operation);
        return { kind: 'onPurpose', ...refusal, body: purposeBody(body, null) };
      }
      // Nobody may hold a connection for longer than a request that hangs does.
      const slowest = (length * 1000) / maxHang;
      const speed = bytesPerSecond === null ? null : Math.max(bytesPerSecond, slowest);
      const isCut = kind === 'cut';
      const parts: Pace['parts'] = (content, signal) =>
        pacedBody(content, { bytesPerSecond: speed, isCut }, signal);
      return { ...answer, pace: { parts, isCut, hold } };
    };
    if (code !== null) {
      const { body, ...response } = simulatedResponse(code, instead, operation);
      const failure: Answer = { kind: 'onPurpose', ...response, body: purposeBody(body, breakage) };
      return pace(finish(failure, cause));
    }
    const { storage } = call.context;
    const rows = kind === 'empty' ? noRows : (cause?.state?.rows ?? null);
    const context: Context = {
      storage: rows === null ? storage : withRows(storage, rows),
      clock: () => clock(identity.tenantId),
    };
    const real = await next({ ...call, context });
    if (typeof real === 'string' || real.kind !== 'operation') return real;
    const isFailure = real.status !== 200;
    const changed = isFailure || alter === undefined ? undefined : alteredBody(real.body, alter);
    const tooLong =
      changed === null
        ? [`alter (${cause?.by}), by which the body would be longer than twice the real one and 64 kB`]
        : [];
    // What changes a 200 does nothing else, and is not said to have.
    const isIdle =
      (isFailure || changed === null) &&
      rows === null &&
      kind === null &&
      delay === 0 &&
      bytesPerSecond === null;
    const whole = finish(real, isIdle ? null : cause, tooLong);
    const isChanged = !isFailure && (changed || Object.keys(instead.headers ?? {}).length > 0);
    if (!isChanged && breakage === null) return pace(whole);
    return pace({
      kind: 'onPurpose',
      status: real.status,
      headers: { ...whole.headers, ...(isChanged ? instead.headers : {}) },
      body: purposeBody(changed ?? real.body, breakage),
    });
  };

  /** What a client prefers; null: nothing, or nothing that can be. */
  const preferenceOf = async (
    { request, identity }: Call,
    operation: AnyOperation,
    preferred: ReturnType<typeof preferredEffect> | null,
  ): Promise<Cause | null> => {
    if (preferred?.state === undefined)
      return preferred?.effect ? { effect: preferred.effect, by: 'Prefer' } : null;
    const { preferredState } = await import('./states/by-name.js');
    const id = preferred.state;
    const limit = Number(queryValue(request, 'limit') ?? Number.NaN);
    const found = preferredState(id, operation, {
      limit: limit >= 1 ? Math.min(limit, maxLimit) : undefined,
      now: clock(identity.tenantId),
    });
    if (E.isLeft(found)) preferred.ignored.push(`preference state: ${found.left}`);
    // A state is all that happens to its request.
    else if (preferred.effect !== null)
      preferred.ignored.push(`${effectText(preferred.effect)} beside state`);
    return E.isLeft(found)
      ? null
      : { effect: found.right.effect ?? effectOf({}), by: 'Prefer', state: { id, rows: found.right.rows } };
  };

  return async (call: Call, operation: AnyOperation): Promise<Outcome> => {
    const { request } = call;
    const { prefer } = request.headers;
    const preferred = prefer === undefined ? null : preferredEffect(String(prefer), operation, maxHang);
    const preference = await preferenceOf(call, operation, preferred);
    const cause = preference ?? (await ruled(call, operation));
    const outcome = await respond(call, operation, cause, preferred);
    return cause?.applied === undefined ? outcome : withChanges(outcome, request, cause.applied, live);
  };
};
