import * as E from '#fp-ts/Either';
import { runLater } from '#platform';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import { keepWithin } from '../../common/lru.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { otherApiPath } from '../../simulation/fault-rules.js';
import type { Simulation } from '../../simulation/simulation.js';
import { apiOperations, type OperationDependencies } from './answer.js';
import { readCredentials } from './credentials.js';
import { failureResponse } from './failures.js';
import { responseHeaders } from './headers.js';
import {
  type ApiRequest,
  clientGone,
  harmlessPath,
  identify,
  noteInJournal,
  type RequestHeaders,
  readTarget,
  requestIdHeader,
  requestIdOf,
  shownTarget,
  simulatedHeader,
  unknownOperation,
} from './request.js';
import { flat, type Sent, sentOnPurpose } from './response.js';
import { operationMethods, otherResponse } from './routes.js';
import { isSignInPath, type SignIn, sessionCookie } from './sign-in.js';
import { effectOnOthers } from './simulate.js';
import { simulatedResponse } from './simulated-body.js';

/** A request of `fetch`, as the protocol takes it. */
type FetchRequest = ApiRequest &
  Readonly<{
    /** Aborted when the client gives up. */
    signal: AbortSignal;
    /** What was sent; null: nothing yet. */
    sent: { status: number | null };
    /** Reads its body. */
    body: () => Promise<Readonly<{ type: string; text: string }>>;
  }>;

/** What becomes of a request: a connection that is cut before anything was sent, or a client that gave up. */
export type Answer = Response | 'Cut' | 'Gone';

/** What a door says about a request. */
export type Door = Readonly<{
  /** What comes before its path; where a path does not begin with it, nothing is found. */
  basePath: string;
  /** The session of a request whose headers have none; null: none. */
  sessionFor: (headers: RequestHeaders) => string | null;
  /** Told of the session that a login has started, or null when a logout has ended it. */
  onSession?: (session: string | null) => void;
}>;

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

const fetchRequest = (request: Request, { basePath, sessionFor }: Door): FetchRequest => {
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
    state: isWellFormed ? {} : { refused: { _tag: 'MalformedRequest' } },
    signal,
    sent,
    body: async () => ({
      type: (given['content-type'] ?? '').toString().split(';')[0]?.trim().toLowerCase() ?? '',
      text: await request.text().catch(() => ''),
    }),
  };
};

/** How much of what has been rendered is kept, in bytes: about. */
const renderCache = 32 * 2 ** 20;

const operationOf = ({ state }: FetchRequest): string => state.operation ?? unknownOperation;

const statusOf = ({ sent }: FetchRequest): number => sent.status ?? clientGone;

type Dependencies = OperationDependencies &
  Readonly<{
    simulation: Simulation;
    /** A monotonic clock in milliseconds. */
    elapsed: Clock;
    /** Called after each request has been answered. */
    onRequest: (
      request: Readonly<{ method: string; url: string; status: number; milliseconds: number }>,
    ) => void;
    /** Answers the paths of the login; null: they are not there. */
    signIn: SignIn | null;
  }>;

/**
 * Answers requests of `fetch` to the operations, and to all other paths, in the way of the server, without a
 * connection. There is no address of a client.
 */
export const answerFetch = (
  dependencies: Dependencies,
): ((request: Request, door: Door) => Promise<Answer>) => {
  const { elapsed, simulation, delay, onRequest, signIn } = dependencies;
  const { routeOf, answer } = apiOperations<FetchRequest>(dependencies, {
    keep: keepWithin(renderCache),
    compression: null,
    wait: ({ signal }, milliseconds) => wait(milliseconds, signal, setTimer),
    addressOf: () => 'unknown',
    operationOf,
  });
  const note = noteInJournal(simulation.journal, { ...dependencies, operationOf, statusOf });

  // The process may end in the meantime if it has nothing else to do.
  const hang = async ({ signal }: FetchRequest): Promise<Answer> =>
    (await wait(simulation.maxHang, signal, runLater)) ? 'Cut' : 'Gone';

  const answerOperation = async (request: FetchRequest): Promise<Answer | null> => {
    const isRead = operationMethods.includes(request.method) && request.state.refused === undefined;
    const route = isRead ? routeOf(request.path) : null;
    if (route === null) return null;
    const outcome = await answer(request, route);
    if (outcome === 'Gone') return outcome;
    if (outcome === 'Drop') return 'Cut';
    if (outcome === 'Hang') return hang(request);
    return responseTo(request, outcome);
  };

  /** What rules do to a request to sign in or out; null: they let it through. */
  const failSignIn = async (request: FetchRequest, name: string): Promise<Answer | null> => {
    const effect = effectOnOthers(request, simulation.faults, name);
    if (effect === null) return null;
    const credentials = readCredentials(request.req.headers, ['session']);
    const hashed = hashCredentials(credentials, timestampAt(dependencies.clock()));
    const caller = E.isLeft(hashed) ? hashed : await dependencies.storage.caller(hashed.right)();
    if (E.isRight(caller)) request.state.tenantId = caller.right.userId;
    const { code, delay: milliseconds, kind, instead } = effect.applied;
    if (milliseconds > 0 && !(await wait(milliseconds, request.signal, setTimer))) return 'Gone';
    if (kind === 'drop') return 'Cut';
    if (kind === 'hang') return hang(request);
    if (code === null) return null;
    const response = simulatedResponse(code, instead, null);
    const headers = { ...responseHeaders.page, ...response.headers, [simulatedHeader]: effect.what };
    return responseTo(request, sentOnPurpose(request, { ...response, headers }, null));
  };

  /** Answers a request to sign in or out. */
  const answerSignIn = async (request: FetchRequest, { onSession }: Door): Promise<Answer | null> => {
    const { path, body, state } = request;
    if (signIn === null || state.refused !== undefined || !isSignInPath(path)) return null;
    const { method } = request;
    const name = `${method === 'HEAD' ? 'GET' : method} ${path}`;
    state.operation = name;
    const failed = await failSignIn(request, name);
    if (failed !== null) return failed;
    const session = readCredentials(request.req.headers, ['session']).sessionValue;
    const answered = await signIn({ method, path, session, body });
    if (answered === null) return null;
    if (answered.userId !== undefined) state.tenantId = answered.userId;
    if (answered.session === undefined) return responseTo(request, sentTo(request, answered));
    onSession?.(answered.session);
    return responseTo(request, sentTo(request, answered, { 'Set-Cookie': sessionCookie(answered.session) }));
  };

  /** Answers what is no request to an operation: OPTIONS, other methods, and paths that do not exist. */
  const answerOther = async (request: FetchRequest): Promise<Answer> => {
    const { method, path, signal, state } = request;
    if (state.refused !== undefined)
      return responseTo(request, sentTo(request, failureResponse(state.refused)));
    const isApi = path.startsWith('/api/');
    const effect = isApi ? effectOnOthers(request, simulation.faults, otherApiPath) : null;
    const milliseconds = isApi ? delay() + (effect?.applied.delay ?? 0) : 0;
    if (milliseconds > 0 && !(await wait(milliseconds, signal, setTimer))) return 'Gone';
    const simulated = effect === null ? {} : { [simulatedHeader]: effect.what };
    const other = otherResponse(method, routeOf(path) === null ? [] : operationMethods);
    return responseTo(request, sentTo(request, other, simulated));
  };

  return async (given, door) => {
    const request = fetchRequest(given, door);
    const started = elapsed();
    identify(request);
    const answered =
      (await answerOperation(request)) ?? (await answerSignIn(request, door)) ?? (await answerOther(request));
    note(request, started);
    const [url, status] = [shownTarget(request.req.url ?? ''), statusOf(request)];
    onRequest({ method: request.method, url, status, milliseconds: Math.round(elapsed() - started) });
    return answered;
  };
};

/** What is sent for a request that is for no operation. */
const sentTo = (
  request: FetchRequest,
  { status, headers, body }: ReturnType<typeof otherResponse>,
  further: Readonly<Record<string, string>> = {},
): Sent => {
  const content = body?.bytes;
  const head = flat({
    [requestIdHeader]: requestIdOf(request),
    ...responseHeaders[request.path.startsWith('/api/') ? 'otherApiPath' : 'page'],
    ...further,
    ...headers,
    ...(content === undefined
      ? {}
      : { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(content.length) }),
  });
  return { status, head, ...(content && { content }) };
};

/** What becomes of what is sent, which is noted. A response to HEAD has no body. */
const responseTo = ({ method, sent }: FetchRequest, { status, head, content }: Sent): Response => {
  sent.status = status;
  const headers = new Headers();
  for (let i = 0; i < head.length; i += 2) headers.append(head[i] ?? '', head[i + 1] ?? '');
  // A copy of bytes, so that nobody changes what is kept.
  const body = content === undefined ? null : Uint8Array.from(content);
  return new Response(method === 'HEAD' ? null : body, { status, headers });
};

/** What `fetch` throws when a connection is cut. */
export const cut = (): TypeError => new TypeError('the connection was cut, which was simulated');

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
