import { addProperties } from '../in-process/add-properties.js';
import type { Controls } from '../in-process/controls.js';
import { openHandler } from './open-handler.js';
import type { FetchHandlerOptions, GivenFixtures } from './options.js';
import { toResponse } from './to-response.js';

/** The API v1 as a function from a request to its response, and the controls of what it answers. */
export type FetchHandler = ((request: Request) => Promise<Response>) & Controls<GivenFixtures>;

/**
 * Makes a handler of the API v1 over fixtures, which needs no server: it runs wherever there are `Request` and
 * `Response`. Throws a `TriageApiError` that lists all problems of the fixtures and the options.
 */
export const fetchHandler = (fixtures: GivenFixtures, options: FetchHandlerOptions = {}): FetchHandler => {
  const { answer, controls } = openHandler(fixtures, options);
  const handle = async (request: Request): Promise<Response> => {
    if (request.signal.aborted) throw request.signal.reason;
    return toResponse(await answer(request), request.signal);
  };
  addProperties(handle, controls);
  return handle;
};
