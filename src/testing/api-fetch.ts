import { TriageApiError } from '../common/triage-api-error.js';
import { sessionCookieName } from '../contract/credential-kind.js';

/** What `fetch` takes, and whose session to send: the name of a tenant, or null for none. */
export type ApiRequestInit = RequestInit & Readonly<{ tenant?: string | null }>;

/** `fetch` with a path of the server, such as `/api/v1/repos`. */
export type ApiFetch = (path: string, init?: ApiRequestInit) => Promise<Response>;

/** Cookies by their names. */
type Jar = Map<string, string>;

/** No page of the server redirects more often. */
const maxRedirects = 5;

type Settings = Readonly<{
  /** The URL of the server. */
  baseUrl: string;
  /** The name of the tenant whose session is sent if a request names none; null: no session is. */
  first: () => string | null;
  /** The session that a tenant has now: the clock can make it necessary to renew it. */
  sessionOf: (tenant: string) => string;
}>;

/**
 * Returns a `fetch` for one server. Each tenant has cookies of its own, and so have requests without one. A
 * header `Cookie` or `Authorization` in `init` replaces the cookies.
 */
export const apiFetch = ({ baseUrl, first, sessionOf }: Settings): ApiFetch => {
  const jars = new Map<string | null, Jar>();
  const given = new Map<string, string>();
  const jarOf = (tenant: string | null): Jar => {
    const jar: Jar = jars.get(tenant) ?? new Map();
    jars.set(tenant, jar);
    if (tenant === null) return jar;
    const session = sessionOf(tenant);
    // A session that a login has brought stays, and so does the lack of one after a logout.
    if (jar.get(sessionCookieName) === given.get(tenant)) jar.set(sessionCookieName, session);
    given.set(tenant, session);
    return jar;
  };

  /** Redirects are followed here, because `fetch` would not show their cookies. */
  const send = async (url: URL, init: RequestInit, jar: Jar, redirects: number): Promise<Response> => {
    const response = await fetch(url, {
      ...init,
      headers: withCookies(init.headers, jar),
      redirect: 'manual',
    });
    keepCookies(jar, response.headers.getSetCookie());
    const location = response.headers.get('Location');
    const isFollowed = init.redirect === undefined || init.redirect === 'follow';
    if (!isFollowed || location === null || redirects === 0) return response;
    await response.body?.cancel();
    const { body: _, method: __, ...rest } = init;
    return send(targetIn(baseUrl, new URL(location, url).href), rest, jar, redirects - 1);
  };

  return async (path, { tenant = first(), ...init } = {}) =>
    send(targetIn(baseUrl, path), init, jarOf(tenant), maxRedirects);
};

/** The session must not be sent to another server. */
const targetIn = (baseUrl: string, path: string): URL => {
  const url = URL.canParse(path, baseUrl) ? new URL(path, baseUrl) : null;
  if (url?.origin === baseUrl) return url;
  throw new TriageApiError([`fetch: expected a path such as /api/v1/repos, got ${JSON.stringify(path)}`]);
};

const withCookies = (given: RequestInit['headers'], jar: Jar): Headers => {
  const headers = new Headers(given);
  if (jar.size > 0 && !headers.has('Cookie') && !headers.has('Authorization')) {
    headers.set('Cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '));
  }
  return headers;
};

/** A cookie without a value is one that the server clears. */
const keepCookies = (jar: Jar, lines: readonly string[]): void => {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') jar.delete(name);
    else jar.set(name, value);
  }
};
