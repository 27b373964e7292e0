/** The entry `triage-api/msw`: handlers for Mock Service Worker (docs/msw.md). */
import { type HttpHandler, HttpResponse, http } from 'msw';
import { sessionCookieName } from '../contract/operations.js';
import { addProperties, openHandler } from './core.js';
import type { Controls } from './test-controls.js';
import { baseUrlParts, type GivenFixtures, MswOptions, type TriageHandlersOptions } from './test-options.js';

export * from './test-controls.js';
export type { TriageHandlersOptions } from './test-options.js';

/** Handlers for Mock Service Worker, and the controls of what they answer. */
export type TriageHandlers = HttpHandler[] & Controls<GivenFixtures>;

/**
 * Makes handlers of the API v1 over fixtures, for `setupServer` and `setupWorker` of Mock Service Worker.
 * They answer whatever is below `/api/v1/` and leave all other requests alone. Throws a `TriageApiError` that
 * lists all problems of the fixtures and the options.
 */
export const triageHandlers = (
  fixtures: GivenFixtures,
  options: TriageHandlersOptions = {},
): TriageHandlers => {
  const opened = openHandler(fixtures, options, MswOptions);
  const [, origin = '*', basePath = ''] = baseUrlParts.exec(opened.options.baseUrl ?? '') ?? [];
  const handlers = [
    // A service worker does not see the header `Cookie`: the cookies of the page are handed over apart.
    http.all(`${origin}${basePath}/api/v1/*`, async ({ request, cookies }) => {
      const cookie = cookies[sessionCookieName] ?? null;
      const answer = await opened.answer(request, { basePath, cookie });
      // To the page, a failed connection is an error of the network.
      return typeof answer === 'string' ? HttpResponse.error() : answer;
    }),
  ];
  addProperties(handlers, opened.controls);
  return handlers;
};
