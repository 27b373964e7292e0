import { runLater } from '#platform';
import type { Clock } from '../../common/clock.js';
import { keepWithin } from '../../common/kept-values.js';
import type { Log } from '../../common/log.js';
import { otherApiPath } from '../../simulation/fault-rules.js';
import type { LiveData, Simulation } from '../../simulation/simulation.js';
import type { Storage } from '../../storage/port.js';
import { readCredentials } from './credentials.js';
import { endpoints } from './endpoint.js';
import { failureResponse, unexpectedFailures } from './failures.js';
import { apiHeaders, uncachedHeaders, usualSecurityHeaders } from './headers.js';
import { type FlatHeaders, flat, jsonHead, jsonSender, type SendContent } from './json-sender.js';
import { type NoteRequest, noteRequests } from './note-requests.js';
import type { RateLimit } from './rate-limit.js';
import {
  type ApiRequest,
  clientGone,
  identify,
  notedOperation,
  type RequestHeaders,
  requestIdHeader,
  requestIdOf,
  simulatedHeader,
  unknownOperation,
} from './request.js';
import { type OtherResponse, operationMethods, operationRoutes, otherResponse } from './routes.js';
import { serveOperations } from './serve-operations.js';
import {
  brokenContent,
  effectOnOthers,
  emptyEndpointOf,
  emptyLists,
  simulateOperations,
} from './simulate.js';
import { harmlessPath, readTarget, shownTarget } from './target.js';
import type { Transport } from './transport.js';

/** A request of `fetch`, as the protocol takes it. */
type FetchRequest = ApiRequest &
  Readonly<{
    /** Aborted when the client gives up. */
    signal: AbortSignal;
    /** Whether its target can be read. */
    isWellFormed: boolean;
    /** Whether a connection can be cut in the middle of a body. */
    cutsBodies: boolean;
    /** What was sent; null: nothing yet. */
    sent: { status: number | null };
  }>;

/** What becomes of a request: a connection that is cut before anything was sent, or a client that gave up. */
export type Answer = Response | 'Cut' | 'Gone';

/** What a door says about a request. */
export type Door = Pick<FetchRequest, 'cutsBodies'> &
  Readonly<{
    /** What comes before its path; where a path does not begin with it, nothing is found. */
    basePath: string;
    /** The session of a request whose headers have none; null: none. */
    sessionFor: (headers: RequestHeaders) => string | null;
  }>;

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

const fetchRequest = (request: Request, { basePath, sessionFor, cutsBodies }: Door): FetchRequest => {
  const { method, signal, credentials } = request;
  const { pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const target = `${isBelow ? pathname.slice(basePath.length) : pathname}${search}`;
  const isWellFormed = target.length <= maxTarget && readTarget(target) !== null;
  const url = isWellFormed ? target : harmlessPath(target.slice(0, maxTarget));
  const path = isBelow ? (url.split('?')[0] ?? '') : '';
  const given: RequestHeaders = Object.fromEntries(request.headers);
  // A page may say that a request shall have no session.
  const hasOwn = credentials === 'omit' || readCredentials(given, ['session']).sessionValue !== null;
  const session = hasOwn ? null : sessionFor(given);
  const cookies = session === null ? [] : [`session=${session}`];
  const cookie = given.cookie === undefined ? cookies : [given.cookie, ...cookies];
  const headers = session === null ? given : { ...given, cookie: cookie.join('; ') };
  const sent = { status: null };
  return {
    method,
    path,
    querystring: search.slice(1),
    req: { headers, url },
    state: {},
    signal,
    isWellFormed,
    cutsBodies,
    sent,
  };
};

/** How much of what has been rendered is kept, in bytes: about. */
const renderCache = 32 * 2 ** 20;

const operationOf = (request: FetchRequest): string => notedOperation(request) ?? unknownOperation;

const statusOf = ({ sent }: FetchRequest): number => sent.status ?? clientGone;

type Dependencies = Readonly<{
  storage: Storage;
  clock: Clock;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  log: Log;
  strict: boolean;
  delay: () => number;
  simulation: Simulation;
  /** The clock and the data; null: they cannot be changed. */
  live: LiveData | null;
  rateLimit: RateLimit | null;
  /** Called after each request has been answered. */
  onRequest: (
    request: Readonly<{ method: string; url: string; status: number; milliseconds: number }>,
  ) => void;
}>;

/**
 * Answers requests of `fetch` to the operations, and to all other paths, in the way of the server, without a
 * connection.
 */
export const answerFetch = (
  dependencies: Dependencies,
): ((request: Request, door: Door) => Promise<Answer>) => {
  const { storage, elapsed, simulation, delay, log, onRequest } = dependencies;
  const keep = keepWithin(renderCache);
  const over = (rows: Storage) => endpoints({ ...dependencies, storage: rows, keep });
  const routeOf = operationRoutes(over(storage));
  const noteInJournal = noteRequests(simulation.journal, { ...dependencies, operationOf, statusOf });
  const note: NoteRequest<FetchRequest> = (request, started) => {
    noteInJournal(request, started);
    const [url, status] = [shownTarget(request.req.url ?? ''), statusOf(request)];
    onRequest({ method: request.method, url, status, milliseconds: Math.round(elapsed() - started) });
  };
  const emptyEndpoint = emptyEndpointOf(() => over(emptyLists(storage)));
  const serve = serveOperations({
    transport,
    begin: identify,
    refusal: () => null,
    unexpected: unexpectedFailures(log, operationOf),
    delay,
    simulate: simulateOperations({ ...dependencies, transport, emptyEndpoint }),
    note,
    elapsed,
  });

  /** Answers what is no request to an operation: OPTIONS, other methods, and paths that do not exist. */
  const answerOther = async (request: FetchRequest): Promise<Answer> => {
    const { method, path, signal, isWellFormed } = request;
    if (!isWellFormed) return sendOther(request, failureResponse({ _tag: 'MalformedRequest' }), {});
    const isApi = path.startsWith('/api/');
    const effect = isApi ? effectOnOthers(request, simulation.faults, otherApiPath) : null;
    const milliseconds = isApi ? delay() + (effect?.applied.delay ?? 0) : 0;
    if (milliseconds > 0 && !(await wait(milliseconds, signal, setTimer))) return 'Gone';
    const simulated = effect === null ? {} : { [simulatedHeader]: effect.what };
    return sendOther(
      request,
      otherResponse(method, routeOf(path) === null ? [] : operationMethods),
      simulated,
    );
  };

  return async (given, door) => {
    const request = fetchRequest(given, door);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const route = isRead && request.isWellFormed ? routeOf(request.path) : null;
    if (route !== null) return serve(request, route);
    const started = elapsed();
    identify(request);
    const answered = await answerOther(request);
    note(request, started);
    return answered;
  };
};

/** Notes what is sent, and returns it. A response to HEAD has no body. */
const responseTo = (
  { method, sent }: FetchRequest,
  status: number,
  head: FlatHeaders,
  body?: ConstructorParameters<typeof Response>[0],
): Response => {
  sent.status = status;
  const headers = new Headers();
  for (let i = 0; i < head.length; i += 2) headers.append(head[i] ?? '', head[i + 1] ?? '');
  return new Response(method === 'HEAD' ? null : body, { status, headers });
};

const sendContent: SendContent<FetchRequest, Response> = (request, status, head, content) => {
  // A copy of bytes, so that nobody changes what is kept.
  const body = typeof content === 'string' ? content : content && Uint8Array.from(content);
  return responseTo(request, status, head, body);
};

const sendOther = (
  request: FetchRequest,
  { status, headers, body }: OtherResponse,
  simulated: Readonly<Record<string, string>>,
): Response => {
  const content = body?.content;
  const head = flat({
    [requestIdHeader]: requestIdOf(request),
    ...usualSecurityHeaders,
    // On other paths, the server says by this that it tells pages of other origins apart.
    ...(request.path.startsWith('/api/') ? apiHeaders : { ...uncachedHeaders, Vary: 'Origin' }),
    ...simulated,
    ...headers,
    ...(content === undefined
      ? {}
      : { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(content.length) }),
  });
  return sendContent(request, status, head, content);
};

const send = jsonSender(sendContent);

/** Returns the responses of operations as values. There is no connection, and no address of a client. */
const transport: Transport<FetchRequest, Answer> = {
  send,
  sendUnexpected: send,
  sendBroken: (request, response, how) => {
    const { sent, announced } = brokenContent(response, how);
    const head = jsonHead(request, announced, response.headers);
    if (how !== 'drop') return sendContent(request, response.status, head, sent);
    const cutOff = responseTo(request, response.status, head, endingEarly(sent));
    return request.cutsBodies ? cutOff : 'Cut';
  },
  // The process may end in the meantime if it has nothing else to do.
  hang: async ({ signal }, { maxHang }) => ((await wait(maxHang, signal, runLater)) ? 'Cut' : 'Gone'),
  afterDelay: async ({ signal }, milliseconds, next) =>
    (await wait(milliseconds, signal, setTimer)) ? next() : 'Gone',
  forOrigin: (_, next) => next(),
  addressOf: () => 'unknown',
};

/** What `fetch` throws when a connection is cut. */
export const cut = (): TypeError => new TypeError('the connection was cut, which was simulated');

/** A body that ends before its end: reading it fails, as it does when a connection is cut. */
const endingEarly = (content: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(content),
    pull: (controller) => controller.error(cut()),
  });

const setTimer: typeof runLater = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

/** Waits for so many milliseconds. False: the client has given up before. */
const wait = (milliseconds: number, signal: AbortSignal, later: typeof runLater): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = later(milliseconds, () => resolve(true));
    const giveUp = (): void => {
      cancel();
      resolve(false);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp);
  });
