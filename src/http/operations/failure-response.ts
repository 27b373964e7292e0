import { ErrorBody, type ErrorBodyCodec } from '../../contract/error-bodies.js';
import type { CredentialKind } from '../../contract/operations.js';
import { type Failure, messageOf, retryAfterSeconds, statuses } from './failures.js';
import type { JsonResponse } from './json-response.js';
import { challenge } from './read-credentials.js';
import { renderError } from './rendered.js';

/** The status and headers of a failure; `accepts`: the credentials that a 401 asks for. */
export const failureHead = (
  failure: Failure,
  accepts: readonly CredentialKind[],
): Pick<JsonResponse, 'status' | 'headers'> => {
  const status = statuses[failure._tag];
  const retryAfter = retryAfterSeconds(failure);
  return {
    status,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': challenge(accepts) } : {}),
      ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
    },
  };
};

/** A failure as JSON, its body validated by `codec`: that of the operation, or the general one. */
export const failureResponse = (
  failure: Failure,
  codec: ErrorBodyCodec = ErrorBody,
  accepts: readonly CredentialKind[] = ['session'],
): JsonResponse => ({ ...failureHead(failure, accepts), body: renderError(codec, messageOf(failure)) });
