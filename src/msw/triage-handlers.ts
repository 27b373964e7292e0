import { type HttpHandler, HttpResponse, http } from 'msw';
import { sessionCookieName } from '../contract/credential-kind.js';
import type { Answer } from '../fetch-handler/answer.js';
import { openHandler } from '../fetch-handler/open-handler.js';
import type { GivenFixtures } from '../fetch-handler/options.js';
import { toResponse } from '../fetch-handler/to-response.js';
import { addProperties } from '../in-process/add-properties.js';
import type { Controls } from '../in-process/controls.js';
import { apiUrl, type TriageHandlersOptions } from './options.js';

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
  const { baseUrl, ...others } = { ...options };
  const { pattern, basePath, problems } = apiUrl(baseUrl);
  const own = Object.keys(others).includes('basePath')
    ? ['options /basePath: give it as a part of baseUrl']
    : [];
  const { answer, controls } = openHandler(fixtures, { ...others, basePath }, [...problems, ...own]);
  const handlers = [
    // A service worker does not see the header `Cookie`: the cookies of the page are handed over apart.
    http.all(pattern, async ({ request, cookies }) =>
      responseTo(await answer(request, cookies[sessionCookieName] ?? null), request),
    ),
  ];
  addProperties(handlers, controls);
  return handlers;
};

/** A failed connection is an error of the network to the page. */
const responseTo = (answer: Answer, { signal }: Request): Response =>
  answer._tag === 'Sent' && !answer.isCut ? toResponse(answer, signal) : HttpResponse.error();
