/** The entry `triage-api/msw`: handlers for Mock Service Worker (docs/msw.md). */
import * as t from 'io-ts';
import type { HttpHandler, HttpResponseResolver } from 'msw';
import * as msw from 'msw';
import * as E from '#fp-ts/Either';
import { parseJson } from '../common/json.js';
import { TriageApiError } from '../common/messages.js';
import { sessionCookieName } from '../contract/operations.js';
import { demoLogInPath } from '../pages/paths.js';
import { addProperties } from './core.js';
import { type LogInStore, openHandler } from './open-handler.js';
import type { Controls } from './test-controls.js';
import { baseUrlParts, type GivenFixtures, MswOptions, type TriageHandlersOptions } from './test-options.js';

export * from './test-controls.js';
export type { TriageHandlersOptions } from './test-options.js';

// Not by named imports, because those that version 1 lacks would fail with a message of Node.
const { http, HttpResponse } = msw;
if (http === undefined) throw new Error('triage-api/msw needs msw 2.3 or later');

/** Handlers for Mock Service Worker, and the controls of what they answer. */
export type TriageHandlers = HttpHandler[] & Controls<GivenFixtures>;

/** The origin, by default any, and what comes before the paths. */
const partsOf = ({ baseUrl = '' }: Readonly<{ baseUrl?: string | undefined }>) => {
  const [, origin = '*', basePath = ''] = baseUrlParts.exec(baseUrl) ?? [];
  return { origin, basePath };
};

const tabKey = 'triage-api login';

/**
 * Keeps a login in the tab of a browser, where Mock Service Worker works in a service worker; null elsewhere.
 * Only a page that is loaded again gets it: handlers that the same page makes anew are others.
 */
const tabStore = (): LogInStore | null => {
  try {
    const { navigator, sessionStorage: tab, performance }: Browser = globalThis;
    if (tab === undefined || navigator === undefined || !('serviceWorker' in navigator)) return null;
    const load = performance.timeOrigin;
    return {
      read: () => {
        const kept = TabLogIn.decode(parseJson(tab.getItem(tabKey) ?? ''));
        return E.isRight(kept) && kept.right.load !== load ? kept.right : null;
      },
      write: (login) =>
        login === null ? tab.removeItem(tabKey) : tab.setItem(tabKey, JSON.stringify({ ...login, load })),
    };
  } catch {
    // The browser blocks its storage.
    return null;
  }
};

const TabLogIn = t.type({ userId: t.string, session: t.string, load: t.number });

/** What a page of a browser has, and Node may lack. */
type Browser = Readonly<{
  navigator?: object;
  sessionStorage?: Readonly<{
    getItem: (key: string) => string | null;
    setItem: (key: string, value: string) => void;
    removeItem: (key: string) => void;
  }>;
  performance: Readonly<{ timeOrigin: number }>;
}>;

/**
 * Makes handlers of the API v1 over fixtures, for `setupServer` and `setupWorker` of Mock Service Worker.
 * They answer the login and whatever is below `/api/v1/`, or everything below `baseUrl`, and leave all other
 * requests alone. Throws a `TriageApiError` that lists all problems of the fixtures and the options.
 */
export const triageHandlers = (
  fixtures: GivenFixtures,
  options: TriageHandlersOptions = {},
): TriageHandlers => {
  const checked = openHandler(
    fixtures,
    options,
    MswOptions,
    // Whoever sends a request is the page or the test itself.
    ({ pages = false, ...parts }) => ({ ...partsOf(parts), pages, mayControl: () => true }),
    tabStore(),
  );
  const { pages, baseUrl } = checked.options;
  if (pages === true && baseUrl === undefined)
    throw new TriageApiError(['options pages: needs baseUrl, because everything below it is answered']);
  const { origin, basePath } = partsOf(checked.options);
  const opened = checked.open();
  const respond: HttpResponseResolver = async ({ request, cookies }) => {
    // A service worker does not see the header `Cookie`: the cookies of the page are handed over apart.
    const cookie = cookies[sessionCookieName] ?? null;
    // Nor may it set cookies, so logins are remembered here.
    const answer = await opened.answer(request, { cookie, remembers: true });
    // To the page, a failed connection is an error of the network.
    return typeof answer === 'string' ? HttpResponse.error() : answer;
  };
  /** The star of any origin would also stand for folders: `/other/login` belongs to somebody else. */
  const where =
    (isOwn: (path: string) => boolean): HttpResponseResolver =>
    (info) =>
      isOwn(new URL(info.request.url).pathname) ? respond(info) : undefined;
  const exactly = (path: string): HttpResponseResolver => where((each) => each === `${basePath}${path}`);
  const whole = [
    http.all(
      `${origin}${basePath}/*`,
      where((path) => path.startsWith(`${basePath}/`)),
    ),
  ];
  const withoutPages = [
    http.all(`${origin}${basePath}/api/v1/*`, respond),
    http.post(`${origin}${basePath}/login`, exactly('/login')),
    http.post(`${origin}${basePath}${demoLogInPath}`, exactly(demoLogInPath)),
    http.post(`${origin}${basePath}/logout`, exactly('/logout')),
    http.get(`${origin}${basePath}/session`, exactly('/session')),
  ];
  const handlers = pages === true ? whole : withoutPages;
  addProperties(handlers, opened.controls);
  return handlers;
};
