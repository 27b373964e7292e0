import { nonePublished, withoutLimits } from '../accounts/account-flow.js';
import { noDemoAccounts } from '../accounts/demo-rows.js';
import { readCredentials } from '../api/credentials.js';
import { roomForAnswers } from '../api/kept-answers.js';
import {
  chosenRequestId,
  clientGone,
  harmlessPath,
  mediaTypeOf,
  type RequestHeaders,
  readTarget,
  type ServiceRequest,
  shownTarget,
} from '../api/request.js';
import type { Pace, Sent } from '../api/response.js';
import type { Service } from '../api/service.js';
import { sessionCookieName } from '../contract/operations.js';
import type { MoreRows } from './all-rows.js';
import { compose, type ServiceDependencies } from './compose.js';

/** What becomes of a request: a connection that is cut before anything was sent, or a client that gave up. */
export type Answer = Response | 'Cut' | 'Gone';

/** What is said about a request besides. */
export type Way = Readonly<{
  /** The cookies of a request whose headers do not have them. */
  cookiesFor: (headers: RequestHeaders) => ReadonlyMap<string, string>;
  /** Told of a cookie that is set, or cleared: null. `line`: the whole header. */
  onCookie: (name: string, value: string | null, line: string) => void;
  /** Headers that the request itself does not show. */
  headers?: RequestHeaders;
}>;

/** What a door serves besides the operations. */
export type LoadedPages = MoreRows &
  Pick<ServiceDependencies, 'hasPages' | 'demoAccounts'> &
  Partial<Pick<ServiceDependencies, 'mode'>> &
  Pick<ServiceDependencies['accounts'], 'demo'>;

/**
 * What is served besides the operations, and is loaded when it is asked for. `names`: of its rows; null: they
 * are not known before. `accounts`: how passwords are hashed, and which sessions are public.
 */
export type LoadRows = Readonly<{
  names: readonly string[] | null;
  accounts: Pick<ServiceDependencies['accounts'], 'hashPassword' | 'isPassword' | 'isPublishedSession'> &
    Partial<Pick<ServiceDependencies['accounts'], 'personas'>>;
  load: () => Promise<LoadedPages>;
}>;

/** A request that was answered. `url`: without what may be a secret. */
type Answered = Readonly<{ method: string; url: string; status: number; milliseconds: number }>;

/** What the door of `fetch` needs. */
export type FetchDependencies = Pick<
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
  Readonly<{
    onRequest: (answered: Answered) => void;
    /** Who may use the controls, and is offered the accounts; `headers` are all that are known. */
    mayControl: (url: URL, headers: RequestHeaders) => boolean;
  }>;

/** What new accounts start with where there is nothing else. */
export const noRows = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

/** How much memory kept answers may take, in bytes: about. */
const renderCache = 32 * 2 ** 20;

/**
 * The door of `fetch`: the service without a connection, for one client that has no address. `more`: null, if
 * there are only operations.
 */
export const fetchDoor = (dependencies: FetchDependencies, more: LoadRows | null) => {
  const { elapsed, onRequest, simulation } = dependencies;
  const settings: ServiceDependencies = {
    ...dependencies,
    clock: dependencies.live?.now ?? dependencies.clock,
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
      demo: () => noRows,
      personas: () => null,
      ...more?.accounts,
    },
  };
  const operationsAlone = compose(settings);
  let loaded: Promise<Service> | undefined;
  const load = async (): Promise<Service> => {
    if (more === null) return operationsAlone;
    const { rows, pagesOf, demo, ...pages } = await more.load();
    const { webPages } = await import('../pages/web.js');
    const accounts = { ...settings.accounts, demo };
    const whole = { ...settings, ...pages, explorer: pages.hasPages, accounts };
    return compose(whole, webPages(whole, pagesOf), rows);
  };
  const serviceFor = (request: ServiceRequest): Service | Promise<Service> => {
    const { method, path, refused } = request;
    const isOperation = refused === null && operationsAlone.find(method, path) !== null;
    if (isOperation && loaded === undefined) return operationsAlone;
    loaded ??= load().catch((cause: unknown) => {
      // The next request tries again.
      loaded = undefined;
      throw cause;
    });
    return loaded;
  };
  if (more !== null) simulation?.names.serve({ pages: more.names });
  return async (given: Request, way: Way): Promise<Answer> => {
    const started = elapsed();
    const request = serviceRequest(given, way, dependencies);
    const { method, path, target } = request;
    const service = await serviceFor(request);
    const outcome = await service.serve(service.find(method, path), request);
    const isAnswered = typeof outcome === 'object';
    const status = isAnswered ? outcome.status : clientGone;
    const milliseconds = Math.round(elapsed() - started);
    onRequest({ method, url: shownTarget(target), status, milliseconds });
    if (!isAnswered) return outcome;
    const line = outcome.headers['Set-Cookie'];
    if (line !== undefined) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      way.onCookie(name, value === '' ? null : value, line);
    }
    return responseOf(request, outcome);
  };
};

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

/** A request of `fetch` as the service takes it: of a client that has no address. */
const serviceRequest = (
  request: Request,
  way: Way,
  { basePath, ...trust }: Pick<FetchDependencies, 'basePath' | 'mayControl'>,
): ServiceRequest => {
  const { method, signal, credentials } = request;
  const url = new URL(request.url);
  const { pathname, search, origin, protocol } = url;
  const whole = `${pathname}${search}`;
  const read = whole.length <= maxTarget ? readTarget(whole, basePath) : null;
  const target = read?.path ?? harmlessPath(whole.slice(0, maxTarget));
  const own: RequestHeaders = { ...Object.fromEntries(request.headers), ...way.headers };
  const mayControl = trust.mayControl(url, own);
  const hasSession = readCredentials(own, ['session']).sessionValue !== null;
  // A page may say that a request shall have no cookies.
  const kept = credentials === 'omit' ? [] : Array.from(way.cookiesFor(own));
  const cookies = kept.flatMap(([name, value]) =>
    hasSession && name === sessionCookieName ? [] : `${name}=${value}`,
  );
  const cookie = [...(own.cookie === undefined ? [] : [own.cookie]), ...cookies].join('; ');
  const headers = cookies.length === 0 ? own : { ...own, cookie };
  return {
    id: chosenRequestId(headers),
    method,
    path: target.split('?')[0] ?? '',
    querystring: search.slice(1),
    target,
    headers,
    notes: {},
    refused: read === null ? { _tag: 'MalformedRequest' } : null,
    origin,
    isSecure: protocol === 'https:',
    address: 'unknown',
    network: 'unknown',
    isLocal: mayControl,
    mayControl,
    hasLeft: () => signal.aborted,
    signal,
    body: async (maxLength) => {
      const text = await textOf(request, maxLength).catch(() => null);
      if (text === null) return 'Malformed';
      return text === 'TooLong' ? text : { type: mediaTypeOf({ headers: own }), ...text };
    },
  };
};

/** Reads a body of so many bytes at most. The rest of a longer one is not read. */
const textOf = async (
  request: Request,
  maxLength: number,
): Promise<Readonly<{ text: string }> | 'TooLong'> => {
  // Firefox does not show the body as a stream.
  const reader = (request.body ?? (await request.blob()).stream()).getReader();
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    length += part.value.length;
    if (length > maxLength) {
      reader.cancel().catch(() => {});
      return 'TooLong';
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return { text: text + decoder.decode() };
};

/** What is sent, as a response. One to HEAD has no body. */
const responseOf = (
  { method, signal }: ServiceRequest,
  { status, headers, content, pace }: Sent,
): Response => {
  if (content === undefined || method === 'HEAD') return new Response(null, { status, headers });
  if (pace !== undefined) return new Response(pacedStream(content, pace, signal), { status, headers });
  // A copy of bytes, so that nobody changes what is kept.
  return new Response(Uint8Array.from(content), { status, headers });
};

/** A body that comes slowly, or fails in its middle. */
const pacedStream = (content: Uint8Array, pace: Pace, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const parts = pace.parts(content, signal);
  return new ReadableStream({
    pull: async (stream) => {
      const { done, value } = await parts.next();
      if (done !== true) stream.enqueue(Uint8Array.from(value));
      else if (pace.isCut) stream.error(connectionCut());
      else stream.close();
    },
    cancel: async () => {
      await parts.return();
    },
  });
};

/** What `fetch` throws when a connection is cut. */
export const connectionCut = (): TypeError => new TypeError('the connection was cut, which was simulated');
