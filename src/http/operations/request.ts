import { randomUuid } from '#platform';
import type { Log } from '../../common/log.js';
import type { AnyOperation } from '../../contract/operations.js';
import type { Caller } from '../../records/account-records.js';

/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Readonly<
  Record<string, string | readonly string[] | undefined> & {
    'accept-encoding'?: string | undefined;
    authorization?: string | undefined;
    cookie?: string | undefined;
    'if-none-match'?: string | undefined;
    origin?: string | undefined;
  }
>;

/** What is noted about a request while it is worked on, for logs and the journal. */
type Notes = {
  requestId?: string;
  /** The id of the operation, or what a rule calls a page. */
  operation?: string;
  tenantId?: string;
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

/** A new id. It says nothing about other requests. */
export const newRequestId = (): string => randomUuid();

/**
 * Gives a request an id. A client, or a proxy, may choose it; one that is too long or has other characters
 * than letters, digits, `.`, `_` and `-` is replaced.
 */
export const identify = (request: ApiRequest): void => {
  const given = request.req.headers['x-request-id'];
  request.state.requestId = typeof given === 'string' && acceptable.test(given) ? given : newRequestId();
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
  // As in most requests.
  if (typeof header !== 'string') return null;
  const [, traceId, parentId] = traceparent.exec(header) ?? [];
  return traceId === undefined || parentId === undefined ? null : { traceId, parentId };
};

/** What every line about a request has: its id and, if the client sent one, its trace. */
const requestFields = (request: ApiRequest): Readonly<Record<string, string>> => ({
  requestId: requestIdOf(request),
  ...traceContext(request.req.headers.traceparent),
});

/** A log whose lines name the request. Made when something is logged, so that other requests do not pay. */
export const requestLog =
  (log: Log, request: ApiRequest): Log =>
  (level, event, details = {}) =>
    log(level, event, { ...requestFields(request), ...details });

/** The operation of a request that no route takes. */
export const unknownOperation = 'other';

/** Remembers which operation a request is for. */
export const noteOperation = (request: ApiRequest, { id }: Pick<AnyOperation, 'id'>): void => {
  request.state.operation = id;
};

/** Which operation a request is for, as far as it has been noted. */
export const notedOperation = (request: ApiRequest): string | null => request.state.operation ?? null;

/** The response header that says that a response is not the real one, and why. */
export const simulatedHeader = 'X-Triage-Simulated';

/** Remembers what is simulated for a request, for the logs. */
export const noteSimulated = (request: ApiRequest, what: string): void => {
  request.state.simulated = what;
};

/** What is simulated for a request; null: nothing. */
export const simulatedOf = (request: ApiRequest): string | null => request.state.simulated ?? null;

/** Remembers on whose behalf a request acts, for the access log. */
export const noteTenant = (request: ApiRequest, { userId }: Caller): void => {
  request.state.tenantId = userId;
};

/** The tenant on whose behalf a request acts; null: none is known, or the credentials were not valid. */
export const tenantOf = (request: ApiRequest): string | null => request.state.tenantId ?? null;

/** The header that tells developers what is probably wrong with a request. */
export const warningHeader = 'X-Triage-Warning';

/** Remembers what a response warns of, without what may be a secret. */
export const noteWarning = (request: ApiRequest, warning: string): void => {
  request.state.warning = warning;
};

/** What a response warns of; null: nothing. */
export const warningOf = (request: ApiRequest): string | null => request.state.warning ?? null;
