import { randomUuid } from '#platform';
import type { Log } from '../common/log.js';
import { escapeControlCharacters } from '../common/messages.js';
import { operations } from '../contract/operations.js';
import type { RequestRefused } from './failures.js';

/** Headers that Node joins or takes once. */
type SingleHeader = 'accept-encoding' | 'authorization' | 'cookie' | 'if-none-match' | 'origin';

/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Readonly<
  Record<string, string | readonly string[] | undefined> & Partial<Record<SingleHeader, string | undefined>>
>;

/** What is noted about a request while it is worked on, for whoever observes it. */
export type Notes = {
  /** The id of the operation, or what a rule calls a page. */
  operation?: string;
  /** On whose behalf the request acts; left out: nobody's, or the credentials were not valid. */
  tenantId?: string;
  /** What was simulated. */
  simulated?: string;
  /** What the response warns of, without what may be a secret. */
  warning?: string;
  /** Its number in a journal. */
  number?: number;
  /** Whether the answer depends on what the client prefers to get. */
  readsAccept?: boolean;
};

/** What every answer may depend on. `target`: the path and the query, as logs and the journal show them. */
export type ApiRequest = Readonly<{
  /** As in the header `X-Request-Id` and in the log. */
  id: string;
  method: string;
  /** Below the base path of the service. */
  path: string;
  querystring: string;
  target: string;
  headers: RequestHeaders;
  notes: Notes;
}>;

/** What was posted: its media type in lower case, without parameters, and the text. */
export type Posted = Readonly<{ type: string; text: string }>;

/** A request as the service takes it from a door: that of a server, or `fetch`. */
export type ServiceRequest = ApiRequest &
  Readonly<{
    /** What URLs of the service begin with, without its base path: `https://api.example.com`. */
    origin: string;
    /** Whether it came over HTTPS. */
    isSecure: boolean;
    /** Why it is refused, whatever it asks for; null: it is not. */
    refused: RequestRefused | null;
    /** The network address of the client as limits count it: of IPv6 its /64 network. */
    address: string;
    /** The network that the address is in: of IPv6 the /48 network. */
    network: string;
    /** Whether it certainly comes from this machine, and the service is there for nobody else. */
    isLocal: boolean;
    /** Whether the client may use the mock controls. */
    mayControl: boolean;
    /** Whether the client has closed its half of the connection, so that it hardly waits for an answer. */
    hasLeft: () => boolean;
    /** Aborted when the client is gone. */
    signal: AbortSignal;
    /** Reads what was posted, once, of so many bytes at most. */
    body: (maxLength: number) => Promise<Posted | 'TooLong' | 'Malformed'>;
  }>;

/** The status of a request whose client closed the connection before the response, as in nginx. */
export const clientGone = 499;

/** The header that carries the id of a request, in the request and in the response. */
export const requestIdHeader = 'X-Request-Id';

/** Such an id can be written to a log and to a header as it is. */
const acceptable = /^[\w.-]{1,128}$/;

/** The id that a client or a proxy has chosen, unless it is too long or has unusual characters. */
export const chosenRequestId = ({ 'x-request-id': id }: RequestHeaders): string =>
  typeof id === 'string' && acceptable.test(id) ? id : randomUuid();

/** What logs call the operation of a request that no row takes. */
export const unknownOperation = 'other';

/**
 * What a request is about, for logs and metrics: the id of an operation, or the method and the path of a
 * route with the names of its parameters. There are only so many values, whatever clients send.
 */
export const operationNameOf = ({ notes }: Pick<ApiRequest, 'notes'>): string =>
  notes.operation ?? unknownOperation;

/** A header that comes once, as text; empty if it is missing. */
export const headerOf = ({ headers }: Pick<ApiRequest, 'headers'>, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
};

/** The media type of what a request posts, in lower case and without parameters; empty: it says none. */
export const mediaTypeOf = (request: Pick<ServiceRequest, 'headers'>): string =>
  headerOf(request, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';

/** The path of a request, below the base path, with the query. */
export const pathWithQuery = ({ path, querystring }: Pick<ApiRequest, 'path' | 'querystring'>): string =>
  querystring === '' ? path : `${path}?${querystring}`;

/** The value of a parameter in the query; null: there is none, or several. */
export const queryValue = ({ querystring }: ApiRequest, name: string): string | null => {
  const [value = null, ...others] = new URLSearchParams(querystring).getAll(name);
  return others.length === 0 ? value : null;
};

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
  (log: Log, request: Pick<ApiRequest, 'headers' | 'id'>): Log =>
  (level, event, details = {}) =>
    log(level, event, {
      requestId: request.id,
      ...traceContext(request.headers.traceparent),
      ...details,
    });

/** The response header that says that a response is not the real one, and why. */
export const simulatedHeader = 'X-Triage-Simulated';

/** The response header that tells developers what is probably wrong with a request. */
export const warningHeader = 'X-Triage-Warning';

/** Where a request goes: a path with a query, and the host if the target is an absolute URL. */
type RequestTarget = Readonly<{ path: string; authority: string | null }>;

const absolute = /^https?:\/\/([^/?]+)(.*)$/i;

/**
 * Reads a request target (RFC 9112, section 3.2), whose path may begin with the base path; null: it is none.
 * No valid one contains `#`, a backslash or anything but visible ASCII, and programs disagree about what such
 * a target, or one that begins with two slashes, stands for. What is valid means here what it meant to a
 * proxy.
 */
export const readTarget = (target: string, basePath: string): RequestTarget | null => {
  if (/[#\\]|[^!-~]/.test(target)) return null;
  if (target.startsWith('/') || target === '*') return unlessAmbiguous(target, null, basePath);
  const [, authority, rest = ''] = absolute.exec(target) ?? [];
  if (authority === undefined) return null;
  return unlessAmbiguous(rest.startsWith('/') ? rest : `/${rest}`, authority, basePath);
};

const unlessAmbiguous = (path: string, authority: string | null, basePath: string): RequestTarget | null =>
  path.startsWith('//') ? null : { path: withoutBase(path, basePath), authority };

/** What follows the base path in a path with a query; any other path, and one that `//` follows, as it is. */
export const withoutBase = (path: string, basePath: string): string => {
  if (basePath === '' || !path.startsWith(basePath)) return path;
  const rest = path.slice(basePath.length);
  if (/^\/(?!\/)/.test(rest)) return rest;
  return /^(?:\?|$)/.test(rest) ? `/${rest}` : path;
};

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
  const shownPath = masked(path).replace(/^\/\/[^/]*@/, '//…@');
  return escapeControlCharacters(rest.length === 0 ? shownPath : `${shownPath}${query(rest.join('?'))}`);
};

const query = (querystring: string): string => {
  const pairs = Array.from(new URLSearchParams(querystring), ([name, value]) =>
    loggedParameters.has(name)
      ? `${encodeURIComponent(name)}=${masked(encodeURIComponent(value))}`
      : `${masked(encodeURIComponent(name))}=…`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

/** Session values and API tokens are at least this long, and consist of these characters. */
const secretLike = /[\w-]{43,}/g;

/** Text without what may be a misplaced session value, API token or hash. */
export const masked = (text: string): string => text.replaceAll(secretLike, '…');
