import { runLater } from '#platform';
import type { Clock } from '../common/clock.js';
import { effectOf } from '../simulation/effect.js';
import { unknownOperation } from '../simulation/known-names.js';
import type { Simulation } from '../simulation/simulation.js';
import { apiOperations, type OperationDependencies } from './service.js';
import { readCredentials } from '../protocol/credentials.js';
import { failureResponse } from '../protocol/failures.js';
import { responseHeaders } from '../protocol/headers.js';
import { roomForAnswers } from '../operations/kept-answers.js';
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
  warningHeader,
} from '../protocol/request.js';
import { flat, type Outcome, type Sent, sentOnPurpose } from '../protocol/response.js';
import { type OtherResponse, operationMethods, otherResponse } from './routes.js';
import { isSignInPath, type SignIn, sessionCookie, signInPages } from './sign-in.js';
import { effectOnOthers, tenantReader, unusedPreferenceWarning } from './simulate.js';
import { simulatedResponse } from '../protocol/simulated-body.js';

/** A request of `fetch`, as the protocol takes it. */
type FetchRequest = ApiRequest &
  Readonly<{
    /** Aborted when the client gives up. */
    signal: AbortSignal;
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
  const own = given.cookie === undefined ? '' : `${given.cookie}; `;
  const headers = session === null ? given : { ...given, cookie: `${own}session=${session}` };
  return {
    method,
    path,
    querystring: search.slice(1),
    req: { headers, url },
    state: isWellFormed ? {} : { refused: { _tag: 'MalformedRequest' } },
    signal,
    body: async () => ({
      type: (given['content-type'] ?? '').toString().split(';')[0]?.trim().toLowerCase() ?? '',
      text: await request.text().catch(() => ''),
    }),
  };
};

/** How much of what has been rendered is kept, in bytes: about. */
const renderCache = 32 * 2 ** 20;

const operationOf = ({ state }: FetchRequest): string => state.operation ?? unknownOperation;

type Dependencies = Omit<OperationDependencies, 'room'> &
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

/** Answers requests of `fetch` as the server does, without a connection and the address of a client. */
export const answerFetch = (
  dependencies: Dependencies,
): ((request: Request, door: Door) => Promise<Answer>) => {
  const { elapsed, simulation, delay, onRequest, signIn } = dependencies;
  const { routeOf, answer } = apiOperations<FetchRequest>(
    { ...dependencies, room: roomForAnswers(renderCache) },
    {
      compression: null,
      wait: ({ signal }, milliseconds) => sleep(milliseconds, signal, setTimer),
      addressOf: () => 'unknown',
      operationOf,
    },
  );
  const note = noteInJournal(simulation.journal, dependencies, operationOf);
  const tenantOf = tenantReader(dependencies);
  const pages = signIn === null ? [] : signInPages;
  simulation.names.serve({ pages, tenants: () => dependencies.live?.known() ?? [] });

  /** What rules and the delay do to a request for no operation; null: it is then answered as usual. */
  const simulateOther = async (
    request: FetchRequest,
    effect: EffectOnOthers,
    further: FurtherHeaders,
  ): Promise<Outcome | null> => {
    const { code, delay: extra, kind, instead } = effect?.applied ?? effectOf({});
    const milliseconds = (request.path.startsWith('/api/') ? delay() : 0) + extra;
    if (milliseconds > 0 && !(await sleep(milliseconds, request.signal, setTimer))) return 'Gone';
    if (kind === 'drop') return 'Drop';
    if (kind === 'hang') return 'Hang';
    if (code === null) return null;
    const response = simulatedResponse(code, instead, null);
    const headers = { ...responseHeaders.page, ...response.headers, ...further };
    return sentOnPurpose(request, { ...response, headers }, null);
  };

  /** Answers a request to sign in or out, with further headers; null: it is none. */
  const answerSignIn = async (request: FetchRequest, { onSession }: Door, further: FurtherHeaders) => {
    const { method, path, body, state } = request;
    const presented = readCredentials(request.req.headers, ['session']).sessionValue;
    const answered = signIn && (await signIn({ method, path, session: presented, body }));
    if (answered === null) return null;
    const { session, userId } = answered;
    if (userId !== undefined) state.tenantId = userId;
    if (session === undefined) return sentTo(request, answered, further);
    onSession?.(session);
    return sentTo(request, answered, { ...further, 'Set-Cookie': sessionCookie(session) });
  };

  /** Answers a request for no operation: one to sign in or out, OPTIONS, another method, an unknown path. */
  const answerOther = async (request: FetchRequest, door: Door): Promise<Outcome> => {
    const { method, path, state } = request;
    if (state.refused !== undefined) return sentTo(request, failureResponse(state.refused));
    const isForSignIn = signIn !== null && isSignInPath(path);
    if (isForSignIn) state.operation = `${method === 'HEAD' ? 'GET' : method} ${path}`;
    const name = state.operation ?? (path.startsWith('/api/') ? unknownOperation : null);
    const effect = name === null ? null : effectOnOthers(request, simulation.faults, name);
    const warning = unusedPreferenceWarning(request);
    const further = {
      ...(effect === null ? {} : { [simulatedHeader]: effect.what }),
      ...(warning === null ? {} : { [warningHeader]: warning }),
    };
    // For the journal.
    if (isForSignIn && effect !== null) await tenantOf(request, ['session']);
    const simulated = await simulateOther(request, effect, further);
    if (simulated !== null) return simulated;
    const methods = routeOf(path) === null ? [] : operationMethods;
    return (
      (await answerSignIn(request, door, further)) ?? sentTo(request, otherResponse(method, methods), further)
    );
  };

  return async (given, door) => {
    const request = fetchRequest(given, door);
    const { method, path, signal, state } = request;
    const started = elapsed();
    identify(request);
    const isRead = operationMethods.includes(method) && state.refused === undefined;
    const route = isRead ? routeOf(path) : null;
    const outcome = await (route === null ? answerOther(request, door) : answer(request, route));
    // The process may end in the meantime if it has nothing else to do.
    const hasHung = outcome === 'Hang' && (await sleep(simulation.maxHang, signal, runLater));
    const status = typeof outcome === 'object' ? outcome.status : clientGone;
    note(request, started, status);
    const milliseconds = Math.round(elapsed() - started);
    onRequest({ method, url: shownTarget(request.req.url ?? ''), status, milliseconds });
    if (typeof outcome === 'object') return responseOf(method, outcome);
    return outcome === 'Drop' || hasHung ? 'Cut' : 'Gone';
  };
};

type EffectOnOthers = ReturnType<typeof effectOnOthers>;

type FurtherHeaders = Readonly<Record<string, string>>;

/** What is sent for a request that is for no operation. */
const sentTo = (
  request: FetchRequest,
  { status, headers, body }: OtherResponse,
  further: FurtherHeaders = {},
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

/** What is sent, as a response. One to HEAD has no body. */
const responseOf = (method: string, { status, head, content }: Sent): Response => {
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
const sleep = (milliseconds: number, signal: AbortSignal, later: typeof runLater): Promise<boolean> =>
  new Promise((resolve) => {
    const cancel = later(milliseconds, () => resolve(true));
    const giveUp = (): void => {
      cancel();
      resolve(false);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp);
  });
