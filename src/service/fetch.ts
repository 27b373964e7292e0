import { nonePublished, withoutLimits } from '../accounts/account-flow.js';
import { noDemoAccounts } from '../accounts/demo-rows.js';
import { roomForAnswers } from '../operations/kept-answers.js';
import { readCredentials } from '../protocol/credentials.js';
import {
  clientGone,
  harmlessPath,
  mediaTypeOf,
  type Notes,
  type RequestHeaders,
  readTarget,
  type ServiceRequest,
  shownTarget,
} from '../protocol/request.js';
import type { Sent } from '../protocol/response.js';
import type { Row } from '../protocol/routes.js';
import { logInRows } from '../web/log-in.js';
import type { WebContext } from '../web/web.js';
import { nameOfRow } from './routes.js';
import { createService, type ServiceDependencies } from './service.js';

/** What becomes of a request: a connection that is cut before anything was sent, or a client that gave up. */
export type Answer = Response | 'Cut' | 'Gone';

/** What is said about a request besides. */
export type Way = Readonly<{
  /** The session of a request whose headers have none; null: none. */
  sessionFor: (headers: RequestHeaders) => string | null;
  /** Told of the session that a login has started, or null when a logout has ended it. */
  onSession: (session: string | null) => void;
}>;

/** A request that was answered. `url`: without what may be a secret. */
type Answered = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** What is signed in with, where there are no pages. */
type LogIn = Pick<ServiceDependencies['accounts'], 'hashPassword' | 'isPassword' | 'isPublishedSession'>;

type Dependencies = Pick<
  ServiceDependencies,
  | 'storage'
  | 'live'
  | 'clock'
  | 'elapsed'
  | 'simulation'
  | 'rateLimit'
  | 'strict'
  | 'delay'
  | 'log'
  | 'basePath'
> &
  Readonly<{ onRequest: (answered: Answered) => void }>;

/** How much memory kept answers may take, in bytes: about. */
const renderCache = 32 * 2 ** 20;

/** What there is besides the operations, where there are no pages. */
const signInPlaces: ReadonlySet<string> = new Set(['POST /login', 'POST /logout', 'GET /session']);

const noPage = (): never => {
  throw new TypeError('there are no pages');
};

const signInRows = (web: WebContext): readonly Row[] =>
  logInRows(web, noPage).filter((row) => signInPlaces.has(nameOfRow(row)));

/**
 * The door of `fetch`: the service without a connection and without pages, for one client that has no
 * address. `logIn`: null, if nobody signs in.
 */
export const fetchDoor = (dependencies: Dependencies, logIn: LogIn | null) => {
  const { elapsed, onRequest } = dependencies;
  const settings: ServiceDependencies = {
    ...dependencies,
    room: roomForAnswers(renderCache),
    compression: null,
    crossSiteCookies: false,
    isAllowedOrigin: () => true,
    onSecurityEvent: () => {},
    demoAccounts: () => noDemoAccounts,
    mode: 'fixtures',
    explorer: false,
    hasPages: false,
    accounts: {
      ...withoutLimits,
      ...nonePublished,
      hashPassword: () => Promise.reject(new TypeError('nobody signs up')),
      isPassword: async () => false,
      demo: () => ({ repos: [], scans: [], fixDrafts: [], pullRequests: [] }),
      personas: () => null,
      ...logIn,
    },
  };
  const service = createService(settings, logIn === null ? () => [] : signInRows);
  return async (given: Request, way: Way): Promise<Answer> => {
    const started = elapsed();
    const request = serviceRequest(given, way, dependencies.basePath);
    const { method, path, target } = request;
    const outcome = await service.serve(service.find(method, path), request);
    const isAnswered = typeof outcome === 'object';
    const status = isAnswered ? outcome.status : clientGone;
    const milliseconds = Math.round(elapsed() - started);
    onRequest({ method, url: shownTarget(target), status, milliseconds });
    if (!isAnswered) return outcome;
    if (outcome.session !== undefined) way.onSession(outcome.session);
    return responseOf(method, outcome);
  };
};

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

/** A request of `fetch` as the service takes it: of a client that has no address, and may do everything. */
const serviceRequest = (request: Request, { sessionFor }: Way, basePath: string): ServiceRequest => {
  const { method, signal, credentials } = request;
  const { pathname, search, origin, protocol } = new URL(request.url);
  const whole = `${pathname}${search}`;
  const read = whole.length <= maxTarget ? readTarget(whole, basePath) : null;
  const target = read?.path ?? harmlessPath(whole.slice(0, maxTarget));
  const notes: Notes = read === null ? { refused: { _tag: 'MalformedRequest' } } : {};
  const own: RequestHeaders = Object.fromEntries(request.headers);
  // A page may say that a request shall have no session.
  const hasOwn = credentials === 'omit' || readCredentials(own, ['session']).sessionValue !== null;
  const session = hasOwn ? null : sessionFor(own);
  const before = own.cookie === undefined ? '' : `${own.cookie}; `;
  const headers = session === null ? own : { ...own, cookie: `${before}session=${session}` };
  return {
    method,
    path: target.split('?')[0] ?? '',
    querystring: search.slice(1),
    target,
    headers,
    notes,
    origin,
    isSecure: protocol === 'https:',
    address: 'unknown',
    network: 'unknown',
    isLocal: true,
    mayControl: true,
    hasLeft: () => signal.aborted,
    signal,
    body: async (maxLength) => {
      const text = await request.text().catch(() => null);
      if (text === null) return 'Malformed';
      const isTooLong = new TextEncoder().encode(text).length > maxLength;
      return isTooLong ? 'TooLong' : { type: mediaTypeOf({ headers: own }), text };
    },
  };
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
