import { randomUuid } from '#platform';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { escapeControlCharacters } from '../common/messages.js';
import { operations } from '../contract/operations.js';
import type { Journal } from '../simulation/journal.js';
import type { RequestRefused } from './failures.js';

/** Headers that Node joins or takes once. */
type SingleHeader = 'accept-encoding' | 'authorization' | 'cookie' | 'if-none-match' | 'origin';

/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Readonly<
  Record<string, string | readonly string[] | undefined> & Partial<Record<SingleHeader, string | undefined>>
>;

/** What is noted about a request while it is worked on, for logs and the journal. */
export type Notes = {
  requestId?: string;
  /** The id of the operation, or what a rule calls a page. */
  operation?: string;
  /** On whose behalf the request acts; left out: nobody's, or the credentials were not valid. */
  tenantId?: string;
  /** Why the request is refused before anybody looks at what it asks for. */
  refused?: RequestRefused;
  /** What was simulated. */
  simulated?: string;
  /** What the response warns of, without what may be a secret. */
  warning?: string;
  /** Why a page of another site has no session. */
  lostSession?: string;
};

/**
 * A request to the API, as everything in this room takes it. The names are those of the context that `http`
 * has for each request anyway: a server has nothing to convert, and makes no other object.
 */
export type ApiRequest = Readonly<{
  method: string;
  path: string;
  querystring: string;
  req: Readonly<{
    headers: RequestHeaders;
    /** The path and the query. */
    url?: string | undefined;
  }>;
  state: Notes;
}>;

/** The status of a request whose client closed the connection before the response, as in nginx. */
export const clientGone = 499;

/** The header that carries the id of a request, in the request and in the response. */
export const requestIdHeader = 'X-Request-Id';

/** Such an id can be written to a log and to a header as it is. */
const acceptable = /^[\w.-]{1,128}$/;

/** The id that a client or a proxy has chosen, unless it is too long or has unusual characters. */
export const chosenRequestId = ({ 'x-request-id': given }: RequestHeaders): string =>
  typeof given === 'string' && acceptable.test(given) ? given : randomUuid();

/** Gives a request an id. */
export const identify = (request: ApiRequest): void => {
  request.state.requestId = chosenRequestId(request.req.headers);
};

/** The id of a request; empty before it has one. */
export const requestIdOf = (request: ApiRequest): string => request.state.requestId ?? '';

/** The trace that a request belongs to, and the operation of the caller that sent it. */
export type TraceContext = Readonly<{ traceId: string; parentId: string }>;

/** Ids of zeros alone and the version ff are invalid. Only versions after 00 may go on after the flags. */
const traceparent =
  /^(?!ff)(?!00.{53}.)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** Reads the header `traceparent` (W3C Trace Context, section 3.2); null if it is missing or invalid. */
export const traceContext = (header: string | readonly string[] | undefined): TraceContext | null => {
  if (typeof header !== 'string') return null;
  const [, traceId, parentId] = traceparent.exec(header) ?? [];
  return traceId === undefined || parentId === undefined ? null : { traceId, parentId };
};

/** A log whose lines name the request: its id and, if the client sent one, its trace. */
export const requestLog =
  (log: Log, request: ApiRequest): Log =>
  (level, event, details = {}) =>
    log(level, event, {
      requestId: requestIdOf(request),
      ...traceContext(request.req.headers.traceparent),
      ...details,
    });

/** The response header that says that a response is not the real one, and why. */
export const simulatedHeader = 'X-Triage-Simulated';

/** The header that tells developers what is probably wrong with a request. */
export const warningHeader = 'X-Triage-Warning';

/** Adds a request to the journal once it is answered. `started`: what `elapsed` said before, in ms. */
export const noteInJournal =
  <R extends ApiRequest>(
    journal: Journal,
    { clock, elapsed }: Readonly<{ clock: Clock; elapsed: Clock }>,
    operationOf: (request: R) => string,
  ) =>
  (request: R, started: number, status: number): void => {
    const { tenantId = null, simulated = null, warning = null } = request.state;
    journal.add({
      at: clock(),
      requestId: requestIdOf(request),
      method: request.method,
      target: request.req.url ?? '',
      operation: operationOf(request),
      status,
      milliseconds: Math.round(elapsed() - started),
      tenant: tenantId,
      simulated,
      warning,
    });
  };

/** Where a request goes: a path with a query, and the host if the target is an absolute URL. */
type RequestTarget = Readonly<{ path: string; authority: string | null }>;

const absolute = /^https?:\/\/([^/?]+)(.*)$/i;

/**
 * Reads a request target (RFC 9112, section 3.2); null: it is none. No valid one contains `#`, a backslash or
 * anything but visible ASCII, and programs disagree about what such a target, or one that begins with two
 * slashes, stands for. What is valid means here what it meant to a proxy.
 */
export const readTarget = (target: string): RequestTarget | null => {
  if (/[#\\]|[^!-~]/.test(target)) return null;
  if (target.startsWith('/') || target === '*') return unlessAmbiguous(target, null);
  const [, authority, rest = ''] = absolute.exec(target) ?? [];
  return authority === undefined
    ? null
    : unlessAmbiguous(rest.startsWith('/') ? rest : `/${rest}`, authority);
};

const unlessAmbiguous = (path: string, authority: string | null): RequestTarget | null =>
  path.startsWith('//') ? null : { path, authority };

/** The scheme, the slashes, and the name and the password before the host of a URL. */
const untilHost = /^(?:[a-z][a-z0-9+.-]*:)?\/*(?:[^/?#@]*@)?/i;

/** A path in place of a target that could not be read, without a password and readable by everyone. */
export const harmlessPath = (target: string): string => {
  const [path = ''] = target.replace(untilHost, '').split('?');
  return `/${path.replace(/[^\w.~:@/-]/g, encodeURIComponent)}`;
};

/** The parameters of the contract. Anything else in a query may be a misplaced secret. */
const loggedParameters: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ queryParameters }) => Object.keys(queryParameters.type.props)),
);

/**
 * A target without what may be a secret. One that is not a path was refused, and may contain a password. The
 * usual parsers are not asked for the path, because they throw on some targets.
 */
export const shownTarget = (target: string): string => {
  if (!target.startsWith('/')) return target === '*' ? target : '…';
  const [path = '', ...rest] = target.split('?');
  return escapeControlCharacters(`${masked(path).replace(/^\/\/[^/]*@/, '//…@')}${query(rest.join('?'))}`);
};

const query = (querystring: string): string => {
  const shown = Array.from(new URLSearchParams(querystring), ([name, value]) =>
    loggedParameters.has(name)
      ? `${encodeURIComponent(name)}=${masked(encodeURIComponent(value))}`
      : `${masked(encodeURIComponent(name))}=…`,
  );
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
};

/** Session values and API tokens are at least this long, and consist of these characters. */
const secretLike = /[\w-]{43,}/g;

/** Text without what may be a misplaced session value, API token or hash. */
export const masked = (text: string): string => text.replaceAll(secretLike, '…');
