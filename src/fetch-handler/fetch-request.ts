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

/** The sessions that a request may have besides what its headers say; null: none. */
export type OtherSessions = Readonly<{
  /** The value of a cookie that is not in the headers. */
  cookie: string | null;
  /** The session of requests without credentials. */
  assumed: () => string | null;
}>;

/** How long a target may be: as long as the head of a request to the server. */
const maxTarget = 16 * 1024;

/**
 * Turns a request into one of the protocol. `basePath` is taken off its path; where that does not begin with
 * it, nothing is found.
 */
export const fetchRequest = (request: Request, basePath: string, sessions: OtherSessions): FetchRequest => {
  const { pathname, search } = new URL(request.url);
  const isBelow = pathname.startsWith(`${basePath}/`);
  const target = `${isBelow ? pathname.slice(basePath.length) : pathname}${search}`;
  const isWellFormed = target.length <= maxTarget && readTarget(target) !== null;
  const url = isWellFormed ? target : harmlessPath(target.slice(0, maxTarget));
  return {
    method: request.method,
    path: isBelow ? (url.split('?')[0] ?? '') : '',
    querystring: search.slice(1),
    req: { headers: withSession(Object.fromEntries(request.headers), request.credentials, sessions), url },
    state: {},
    signal: request.signal,
    isWellFormed,
    sent: { status: null },
  };
};

/** Headers with a session if they have none, unless the page says that there shall be none. */
const withSession = (
  headers: Readonly<Record<string, string>>,
  credentials: Request['credentials'] | undefined,
  { cookie, assumed }: OtherSessions,
): RequestHeaders => {
  const { sessionValue } = readCredentials(headers, ['session']);
  if (sessionValue !== null || credentials === 'omit') return headers;
  const session = cookie ?? (headers.authorization === undefined ? assumed() : null);
  if (session === null) return headers;
  const added = `session=${session}`;
  return { ...headers, cookie: headers.cookie === undefined ? added : `${headers.cookie}; ${added}` };
};
