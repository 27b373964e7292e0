import type { ApiRequest, RequestHeaders } from '../protocol/api-request.js';
import { readCredentials } from '../protocol/read-credentials.js';
import { harmlessPath, readTarget } from '../protocol/request-target.js';

/** A request of `fetch`, as the protocol takes it. */
export type FetchRequest = ApiRequest &
  Readonly<{
    /** Aborted when the client gives up. */
    signal: AbortSignal;
    /** Whether its target can be read. */
    isWellFormed: boolean;
    /** What was sent; null: nothing yet. */
    sent: { status: number | null };
  }>;

/** A session that requests without credentials have; null: none. */
export type AssumedSession = () => string | null;

/**
 * Turns a request into one of the protocol. `basePath` is taken off its path; where that does not begin with
 * it, nothing is found.
 */
export const fetchRequest = (request: Request, basePath: string, assumed: AssumedSession): FetchRequest => {
  const { pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const target = `${isBelow ? pathname.slice(basePath.length) : pathname}${search}`;
  const isWellFormed = readTarget(target) !== null;
  const url = isWellFormed ? target : harmlessPath(target);
  return {
    method: request.method,
    path: isBelow ? (url.split('?')[0] ?? '') : '',
    querystring: search.slice(1),
    req: { headers: withSession(Object.fromEntries(request.headers), request.credentials, assumed), url },
    state: {},
    signal: request.signal,
    isWellFormed,
    sent: { status: null },
  };
};

/** Headers with a session if there are no credentials, unless the page says that there shall be none. */
const withSession = (
  headers: Readonly<Record<string, string>>,
  credentials: Request['credentials'] | undefined,
  assumed: AssumedSession,
): RequestHeaders => {
  const { sessionValue } = readCredentials(headers, ['session']);
  if (sessionValue !== null || headers.authorization !== undefined || credentials === 'omit') return headers;
  const session = assumed();
  if (session === null) return headers;
  const cookie = `session=${session}`;
  return { ...headers, cookie: headers.cookie === undefined ? cookie : `${headers.cookie}; ${cookie}` };
};
