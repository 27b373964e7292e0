import { randomUuid } from '#platform';
import type { ApiRequest } from './api-request.js';

/** The header that carries the id of a request, in the request and in the response. */
export const requestIdHeader = 'X-Request-Id';

/** Such an id can be written to a log and to a header as it is. */
const acceptable = /^[\w.-]{1,128}$/;

/** A new id. It says nothing about other requests. */
export const newRequestId = (): string => randomUuid();

/**
 * Gives a request an id. A client, or a proxy, may choose it; one that is too long or has other characters
 * than letters, digits, `.`, `_` and `-` is replaced.
 */
export const identify = (request: ApiRequest): void => {
  const given = request.req.headers['x-request-id'];
  request.state.requestId = typeof given === 'string' && acceptable.test(given) ? given : newRequestId();
};

/** The id of a request; empty before it has one. */
export const requestIdOf = (request: ApiRequest): string => request.state.requestId ?? '';
