import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Answer } from '../fetch-handler/answer.js';
import { openHandler } from '../fetch-handler/open-handler.js';
import type { GivenFixtures } from '../fetch-handler/options.js';
import { toResponse } from '../fetch-handler/to-response.js';
import { addProperties } from '../in-process/add-properties.js';
import type { Controls } from '../in-process/controls.js';
import { apiUrl, type TriageHandlersOptions } from './options.js';
import { withPageCookies } from './page-cookies.js';

/** Handlers for Mock Service Worker, and the controls of what they answer. */
export type TriageHandlers = HttpHandler[] & Controls<GivenFixtures>;

/**
 * Makes handlers of the API v1 over fixtures, for `setupServer` and `setupWorker` of Mock Service Worker.
 * They answer whatever is below `/api/v1/` and leave all other requests alone. Throws a `TriageApiError` that
 * lists all problems of the fixtures and the options.
 */
export const triageHandlers = (
  fixtures: GivenFixtures,
  { baseUrl, ...options }: TriageHandlersOptions = {},
): TriageHandlers => {
  const { pattern, basePath } = apiUrl(baseUrl);
  const { answer, controls } = openHandler(fixtures, { ...options, basePath });
  const handlers = [
    http.all(pattern, async ({ request, cookies }) =>
      responseTo(await answer(withPageCookies(request, cookies)), request),
    ),
  ];
  addProperties(handlers, controls);
  return handlers;
};

/** A failed connection is an error of the network to the page. */
const responseTo = (answer: Answer, { signal }: Request): Response =>
  answer._tag === 'Sent' && !answer.isCut ? toResponse(answer, signal) : HttpResponse.error();
