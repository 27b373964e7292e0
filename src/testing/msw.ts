/** The entry `triage-api/msw`: handlers for Mock Service Worker (docs/msw.md). */
import { type HttpHandler, HttpResponse, type HttpResponseResolver, http } from 'msw';
import { TriageApiError } from '../common/messages.js';
import { sessionCookieName } from '../contract/operations.js';
import { addProperties, openHandler } from './core.js';
import type { Controls } from './test-controls.js';
import { baseUrlParts, type GivenFixtures, MswOptions, type TriageHandlersOptions } from './test-options.js';

export * from './test-controls.js';
export type { TriageHandlersOptions } from './test-options.js';

/** Handlers for Mock Service Worker, and the controls of what they answer. */
export type TriageHandlers = HttpHandler[] & Controls<GivenFixtures>;

/** The origin, by default any, and what comes before the paths. */
const partsOf = ({ baseUrl = '' }: Readonly<{ baseUrl?: string | undefined }>) => {
  const [, origin = '*', basePath = ''] = baseUrlParts.exec(baseUrl) ?? [];
  return { origin, basePath };
};

/**
 * Makes handlers of the API v1 over fixtures, for `setupServer` and `setupWorker` of Mock Service Worker.
 * They answer the login and whatever is below `/api/v1/`, or everything below `baseUrl`, and leave all other
 * requests alone. Throws a `TriageApiError` that lists all problems of the fixtures and the options.
 */
export const triageHandlers = (
  fixtures: GivenFixtures,
  options: TriageHandlersOptions = {},
): TriageHandlers => {
  const opened = openHandler(
    fixtures,
    options,
    MswOptions,
    (given) => partsOf(given).basePath,
    ({ pages = false }) => pages,
  );
  const { pages, baseUrl } = opened.options;
  if (pages === true && baseUrl === undefined)
    throw new TriageApiError(['options pages: needs baseUrl, because everything below it is answered']);
  const { origin, basePath } = partsOf(opened.options);
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
    http.post(`${origin}${basePath}/logout`, exactly('/logout')),
    http.get(`${origin}${basePath}/session`, exactly('/session')),
  ];
  const handlers = pages === true ? whole : withoutPages;
  addProperties(handlers, opened.controls);
  return handlers;
};
