import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import { sleep } from '../common/concurrency.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { type EndpointDependencies, endpoints } from '../operations/endpoint.js';
import { hashCredentials, readCredentials } from '../protocol/credentials.js';
import { type Failure, failureResponse, unexpectedFailure } from '../protocol/failures.js';
import type { HeaderKind } from '../protocol/headers.js';
import {
  addHeaders,
  clientGone,
  identify,
  noteInJournal,
  type ServiceRequest,
  warningHeader,
} from '../protocol/request.js';
import {
  type Outcome,
  operationSender,
  replySender,
  type SendSettings,
  withHeaders,
} from '../protocol/response.js';
import { isControlPath, type Row, unroutedResponse } from '../protocol/routes.js';
import type { LiveData, Simulation } from '../simulation/simulation.js';
import type { Storage } from '../storage/port.js';
import { docsPaths, explorerPath, isQuiet } from '../web/paths.js';
import { simulatedLines } from '../web/simulated-line.js';
import { createWeb, type WebContext, type WebDependencies } from '../web/web.js';
import { type RateLimit, rateLimitHeaders } from './rate-limit.js';
import { type Match, nameOfRow, operationIn, operationRow, routeTable } from './routes.js';
import { tenantReader } from './tenant-reader.js';

/** Everything that the service depends on. */
export type ServiceDependencies = Omit<EndpointDependencies, 'storage'> &
  WebDependencies &
  SendSettings &
  Readonly<{
    storage: Storage;
    /** A monotonic clock in milliseconds that keeps running when that of the service is frozen. */
    elapsed: Clock;
    /** Milliseconds by which to delay the next request to the API; null: none is delayed. */
    delay: (() => number) | null;
    /** What clients may have simulated; null: nothing. */
    simulation: Simulation | null;
    /** The clock and the data; null: they cannot be changed. */
    live: LiveData | null;
    /** Limits the requests of each client; null: there is no limit. */
    rateLimit: RateLimit | null;
  }>;

/** A part of the life of a request. Null: the next one decides. */
type Stage = (match: Match | null, request: ServiceRequest) => Outcome | null | Promise<Outcome | null>;

/** The whole service, whatever door its requests come through: its routes, and what answers a request. */
export type Service = ReturnType<typeof createService>;

/** `rowsOf`: what there is besides the operations. */
export const createService = (
  dependencies: ServiceDependencies,
  rowsOf: (web: WebContext) => readonly Row[],
) => {
  const { elapsed, log, delay, simulation, live, rateLimit } = dependencies;
  const sendOperation = operationSender(dependencies);
  const sendReply = replySender(dependencies);
  const note = simulation && noteInJournal(simulation.journal, dependencies);
  const tenantOf = tenantReader(dependencies);

  const simulated = simulatedLines(simulation, live);
  const web = createWeb({ ...dependencies, simulated }, rowsOf);
  /** What simulates is loaded when it is first asked for: most pages that have this service never do. */
  const loadSimulators = async (given: Simulation) => {
    // One after the other: Jest fails to load modules at once that share some.
    const { operationSimulator } = await import('./simulate.js');
    const { simulatePages } = await import('./simulate-pages.js');
    const operation = operationSimulator({ ...dependencies, simulation: given, send: sendOperation });
    return { operation, page: simulatePages({ simulation: given, live }, web) };
  };
  let simulators: ReturnType<typeof loadSimulators> | undefined;
  const rows = [...endpoints(dependencies).map(operationRow), ...web.rows];
  const table = routeTable(rows);
  simulation?.names.serve({
    pages: web.rows.filter(({ path }) => !isControlPath(path)).map(nameOfRow),
    tenants: () => live?.known() ?? [],
  });

  /** Answers with a failure, without reading who is signed in. */
  const refusal = async (request: ServiceRequest, cause: Failure, kind: HeaderKind): Promise<Outcome> =>
    sendReply(request, await web.responses.errorWithoutUser(request, cause), kind);

  /** Refuses what the door has found to be no request for this service. */
  const guard: Stage = (_, request) => {
    const { refused } = request.notes;
    if (refused === undefined) return null;
    if (refused._tag === 'HostRefused') web.visitor(request).report(refused);
    return refusal(request, refused, kindOf(request.path));
  };

  /** Delays requests to the API, and counts those to operations. */
  const limit: Stage = (match, request) => {
    // Browsers send OPTIONS before other requests, which are delayed.
    const isDelayed = delay !== null && request.path.startsWith('/api/') && request.method !== 'OPTIONS';
    if (!isDelayed) return count(match, request);
    return sleep(delay(), request.signal).then((isThere) => (isThere ? count(match, request) : 'Gone'));
  };

  const count: Stage = (match, request) => {
    const operation = operationIn(match)?.row.endpoint.operation;
    if (rateLimit === null || operation === undefined) return null;
    // Made-up credentials are nobody's: what counts is where they come from.
    return tenantOf(request, operation.accepts).then((userId) => {
      const state = rateLimit.take(userId === null ? request.address : `user ${userId}`);
      addHeaders(request, rateLimitHeaders(rateLimit.policy, state));
      if (!state.isExceeded) return null;
      const failure = { _tag: 'RateLimited', retryAfterSeconds: state.resetSeconds } as const;
      return sendOperation(request, failureResponse(failure));
    });
  };

  /** Whether something may be simulated for a request. */
  const isSimulated = ({ headers }: ServiceRequest): boolean =>
    simulation?.faults.areActive() === true || live?.isChanged() === true || headers.prefer !== undefined;

  const simulate: Stage = (match, request) => {
    if (simulation === null || !isSimulated(request)) return null;
    simulators ??= loadSimulators(simulation).catch((cause: unknown) => {
      // The next request tries again.
      simulators = undefined;
      throw cause;
    });
    return simulators.then(async ({ operation, page }) => {
      const found = operationIn(match);
      if (found !== null) return operation(request, found.row.endpoint, found.params);
      const reply = await page(request);
      return reply === null || typeof reply === 'string'
        ? reply
        : sendReply(request, reply, kindOf(request.path));
    });
  };

  const answer: Stage = (match, request) => {
    if (match === null)
      return unrouted(request).then((reply) => sendReply(request, reply, kindOf(request.path)));
    const { row, params } = match;
    return 'endpoint' in row
      ? row.endpoint.respondTo(request, params).then((response) => sendOperation(request, response))
      : web.answer(row, request, params).then((reply) => sendReply(request, reply, kindOf(request.path)));
  };

  /** What is answered where no row is. */
  const unrouted = async (request: ServiceRequest) => {
    const { method, path } = request;
    const methods = table.methodsAt(path, (row) => mayUse(row, request));
    const shorter = path.endsWith('/') ? table.find(method, path.slice(0, -1)) : null;
    const page =
      methods.length === 0 && shorter !== null && mayUse(shorter.row, request)
        ? web.responses.withoutSlash(request)
        : null;
    if (page !== null) return page;
    const response = unroutedResponse(method, methods);
    if (response.body === undefined) return response;
    const failure = { _tag: methods.length === 0 ? 'NotFound' : 'MethodNotAllowed' } as const;
    return withHeaders(await web.responses.noRoute(request, failure, methods), response.headers ?? {});
  };

  /** Answers what failed in a way that nobody expected. */
  const fail = (request: ServiceRequest, match: Match | null, cause: unknown): Outcome | Promise<Outcome> => {
    const failure = unexpectedFailure(log, request, cause);
    return operationIn(match) === null
      ? refusal(request, failure, 'malformed')
      : sendOperation(request, failureResponse(failure));
  };

  /** What happens to every request, in this order, until one of them has an outcome. */
  const stages = [guard, limit, simulate, answer];

  /** The life of every request. `found`: the row that its door has found; null: none. */
  const serve = async (found: Match | null, request: ServiceRequest): Promise<Outcome> => {
    identify(request);
    const started = elapsed();
    const match = found !== null && mayUse(found.row, request) ? found : null;
    if (match !== null && request.notes.refused === undefined) request.notes.operation = nameOfRow(match.row);
    let outcome: Outcome | null = null;
    try {
      for (const stage of stages) {
        const reached = stage(match, request);
        // Most stages have nothing to wait for; to wait for each takes a twentieth longer.
        outcome = reached instanceof Promise ? await reached : reached;
        if (outcome !== null) break;
      }
      outcome ??= 'Gone';
    } catch (cause) {
      outcome = await fail(request, match, cause);
    }
    const status = typeof outcome === 'string' ? clientGone : outcome.status;
    if (typeof outcome === 'object' && status === 401) warnOfClock(request, match, outcome.head);
    if (note !== null && (operationIn(match) !== null || isNoted(request, status)))
      note(request, started, status);
    return outcome;
  };

  /** Says in the head of a 401 that the credentials have ended by the clock, which may have been moved. */
  const warnOfClock = ({ headers, notes }: ServiceRequest, match: Match | null, head: string[]): void => {
    if (simulation === null || live === null) return;
    const accepts = operationIn(match)?.row.endpoint.operation.accepts ?? ['session', 'bearer'];
    const hashed = hashCredentials(readCredentials(headers, accepts), timestampAt(dependencies.clock()));
    const warning = E.isLeft(hashed) ? null : live.expiredOf(hashed.right);
    if (warning === null) return;
    head.push(warningHeader, warning);
    notes.warning = notes.warning === undefined ? warning : `${notes.warning}; ${warning}`;
  };

  /** Answers what failed in its door, before the service had it or after. */
  const failInDoor = (request: ServiceRequest, cause: unknown): Outcome | Promise<Outcome> => {
    if (request.notes.requestId === undefined) identify(request);
    return fail(request, null, cause);
  };

  return { rows, find: table.find, serve, failInDoor };
};

/** Whether a client may use a row. To others, there is nothing. */
const mayUse = (row: Match['row'], request: ServiceRequest): boolean =>
  'endpoint' in row || row.who !== 'operators' || request.mayControl;

/** The controls would fill the journal by being used, and pages that wait for a change by waiting. */
const isNoted = (request: ServiceRequest, status: number): boolean =>
  !isControlPath(request.path) && !isQuiet(request, status);

/** Which headers the response to what is no operation has. */
const kindOf = (path: string): HeaderKind => {
  if (path.startsWith('/api/')) return 'otherApiPath';
  const runsScript = path === docsPaths.page || path === explorerPath || path.startsWith(`${explorerPath}/`);
  return runsScript ? 'pageWithScript' : 'page';
};
