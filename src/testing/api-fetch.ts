import { TriageApiError } from '../common/messages.js';
import { sessionCookieName } from '../contract/operations.js';

/** What `fetch` takes, and whose session to send: the name of a tenant, or null for none. */
export type ApiRequestInit = RequestInit & Readonly<{ tenant?: string | null }>;

/** `fetch` with a path of the server, such as `/api/v1/repos`. */
export type ApiFetch = (path: string, init?: ApiRequestInit) => Promise<Response>;

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
  /** Cookies by their names, of each tenant. */
  const jars = new Map<string | null, Map<string, string>>();
  /** The session that each tenant was given last. */
  const given = new Map<string, string>();

  const jarOf = (tenant: string | null): Map<string, string> => {
    const jar = jars.get(tenant) ?? new Map<string, string>();
    jars.set(tenant, jar);
    if (tenant === null) return jar;
    const session = sessionOf(tenant);
    // A session that a login has brought stays, and so does the lack of one after a logout.
    if (jar.get(sessionCookieName) === given.get(tenant)) jar.set(sessionCookieName, session);
    given.set(tenant, session);
    return jar;
  };

  /** Redirects are followed here, because `fetch` would not show their cookies. */
  const send = async (path: string, init: ApiRequestInit, redirects: number): Promise<Response> => {
    const { tenant = first(), ...own } = init;
    const url = URL.canParse(path, baseUrl) ? new URL(path, baseUrl) : null;
    // The session must not be sent to another server.
    if (url?.origin !== baseUrl)
      throw new TriageApiError([`fetch: expected a path such as /api/v1/repos, got ${JSON.stringify(path)}`]);
    const jar = jarOf(tenant);
    const headers = new Headers(own.headers);
    if (jar.size > 0 && !headers.has('Cookie') && !headers.has('Authorization'))
      headers.set('Cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...own, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      // A cookie without a value is one that the server clears.
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = response.headers.get('Location');
    if ((own.redirect ?? 'follow') !== 'follow' || location === null || redirects === 0) return response;
    await response.body?.cancel();
    const { body: _, method: __, ...rest } = init;
    return send(new URL(location, url).href, { ...rest, tenant }, redirects - 1);
  };

  return (path, init = {}) => send(path, init, maxRedirects);
};
