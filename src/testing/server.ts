/// <reference lib="esnext.disposable" preserve="true" />

/** The main export of the package: a server for tests, in the process of the tests (docs/testing.md). */
import * as E from '#fp-ts/Either';
import { TriageApiError } from '../common/messages.js';
import { sessionCookieName } from '../contract/operations.js';
import { startServer } from '../start/start-server.js';
import { addProperties } from './core.js';
import { openTriageApi } from './open-triage-api.js';
import type { Controls, Tenant } from './test-controls.js';
import type { FixtureSource, TriageApiOptions } from './test-options.js';

export * from './test-controls.js';
export type { AnsweredRequest, TriageApiOptions } from './test-options.js';

/** A server of the API v1 that runs in the process of the test. */
export type TriageApi = Readonly<{
  /** Its base URL without a trailing slash: `http://127.0.0.1:49152`, with the base path if there is one. */
  url: string;
  /**
   * Sends a request with the session of a tenant, the first one unless `tenant` says otherwise, and keeps its
   * cookies as a browser would: after a login, requests have the new session, and after a logout none.
   */
  fetch: ApiFetch;
  /**
   * Stops the server and cuts off requests in flight. After it resolves, nothing of the server is left. Never
   * rejects. Whatever changes the server throws a `TriageApiError` from then on, or rejects with one; the
   * journal can still be read.
   */
  stop: () => Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose]: () => Promise<void>;
}> &
  Controls<FixtureSource>;

/** How long `stop` waits for responses that are almost sent, in milliseconds. */
const gracePeriod = 50;

/**
 * Starts a server of the API v1 and its web flows in this process, on a free port of 127.0.0.1. Servers share
 * nothing. Rejects with a `TriageApiError` that lists all problems of the options and the fixtures: test
 * runners expect rejections, so errors are not returned as values here.
 */
export const startTriageApi = async (input: TriageApiOptions = {}): Promise<TriageApi> => {
  const { options, config, live, controls, state, ...opened } = await openTriageApi(input);
  const { port = 0, basePath = '' } = options;
  const server = await startServer({ ...config, port, basePath });
  if (E.isLeft(server)) {
    const at = port === 0 ? 'a free port' : `port ${port}`;
    throw new TriageApiError([`cannot listen on ${at} of 127.0.0.1: ${server.left.message}`]);
  }
  const { url } = server.right;
  await state?.enter(controls);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    opened.stop();
    stopped ??= server.right.stop(gracePeriod);
    return stopped;
  };
  // Which tenants a storage of one's own has is not known here.
  const first = (): string | null => controls.tenants[0]?.name ?? (live === null ? null : '');
  const followed = { find: controls.tenant, follow: opened.follow };
  const fetch = apiFetch(url, first, followed, () => stopped !== undefined);
  const api = { url, fetch, stop, [Symbol.asyncDispose]: stop };
  addProperties(api, controls);
  return api;
};

/** What `fetch` takes, and whose session to send: the name of a tenant, or null for none. */
export type ApiRequestInit = RequestInit & Readonly<{ tenant?: string | null }>;

/** `fetch` with a path of the server, such as `/api/v1/repos`. */
export type ApiFetch = (path: string, init?: ApiRequestInit) => Promise<Response>;

/** No page of the server redirects more often. */
const maxRedirects = 5;

/**
 * Returns a `fetch` for one server. Each tenant has cookies of its own, and so have requests without one. A
 * header `Cookie` or `Authorization` in `init` replaces the cookies. `first`: the tenant of a request that
 * names none, if there is one; `find`: a tenant with the session that it has now, which the clock can renew;
 * `follow` is told of each session that a login has brought.
 */
const apiFetch = (
  baseUrl: string,
  first: () => string | null,
  {
    find,
    follow,
  }: Readonly<{ find: (tenant: string) => Tenant; follow: (session: string) => Promise<void> }>,
  isStopped: () => boolean,
): ApiFetch => {
  /** Cookies by their names, of each tenant. */
  const jars = new Map<string | null, Map<string, string>>();
  /** The session that each tenant was given last. */
  const lastSessions = new Map<string, string>();

  const jarOf = (text: string | null): Map<string, string> => {
    const tenant = text === null ? null : find(text);
    const key = tenant === null ? null : tenant.name;
    const jar = jars.get(key) ?? new Map<string, string>();
    jars.set(key, jar);
    if (tenant === null) return jar;
    const { name, session } = tenant;
    // A session that a login has brought stays, and so does the lack of one after a logout.
    if (jar.get(sessionCookieName) === lastSessions.get(name)) jar.set(sessionCookieName, session);
    lastSessions.set(name, session);
    return jar;
  };

  /** Redirects are followed here, because `fetch` would not show their cookies. */
  const send = async (path: string, init: ApiRequestInit, redirects: number): Promise<Response> => {
    const { tenant = first(), ...own } = init;
    const url = URL.canParse(path, baseUrl) ? new URL(path, baseUrl) : null;
    // The session must not be sent to another server.
    if (url?.origin !== new URL(baseUrl).origin)
      throw new TriageApiError([`fetch: expected a path such as /api/v1/repos, got ${JSON.stringify(path)}`]);
    const jar = jarOf(tenant);
    const headers = new Headers(own.headers);
    if (jar.size > 0 && !headers.has('Cookie') && !headers.has('Authorization'))
      headers.set('Cookie', Array.from(jar, ([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...own, headers, redirect: 'manual' }).catch((cause: unknown) => {
      if (!isStopped()) throw cause;
      throw new TriageApiError([
        `fetch ${path}: the server has been stopped; is an \`await\` missing before the call?`,
      ]);
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      // A cookie without a value is one that the server clears.
      if (value === '') jar.delete(name);
      else jar.set(name, value);
      if (name === sessionCookieName && value !== '') await follow(value);
    }
    const location = response.headers.get('Location');
    if ((own.redirect ?? 'follow') !== 'follow' || location === null || redirects === 0) return response;
    await response.body?.cancel();
    const { body: _, method: __, ...rest } = init;
    return send(new URL(location, url).href, { ...rest, tenant }, redirects - 1);
  };

  return (path, init = {}) => send(path, init, maxRedirects);
};
