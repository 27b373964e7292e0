import * as E from '#fp-ts/Either';
import { problem } from '../../contract/codecs/problem.js';
import { TooManyRequestsBody } from '../../contract/error-bodies.js';
import type { AnyOperation } from '../../contract/operations.js';
import { tooManyRequests } from '../../simulation/fault-rules.js';
import { failureHead, failureResponse } from './failure-response.js';
import { type Failure, messageOf } from './failures.js';
import type { JsonResponse } from './json-response.js';
import { render } from './rendered.js';

/** Seconds that a simulated 429 asks to wait. */
const retryAfterSeconds = 1;

/** A failure for each status that can be simulated: it gives the message and the headers. */
const failures: Readonly<Record<number, Failure>> = {
  400: { _tag: 'InvalidParameters', problems: [problem([], 'this status was simulated')] },
  401: { _tag: 'Unauthorized' },
  404: { _tag: 'FindingNotFound' },
  429: { _tag: 'RateLimited', retryAfterSeconds },
  500: { _tag: 'Unexpected', cause: 'simulated' },
  503: { _tag: 'StorageUnavailable', cause: 'simulated' },
};

/** The failure that a status stands for. */
export const failureWith = (status: number): Failure =>
  failures[status] ?? { _tag: 'Unexpected', cause: `no failure has the status ${status}` };

/**
 * The response that an operation gives when it fails with a status: its body is of the codec that the
 * operation lists for that status.
 */
export const simulatedFailure = ({ responses, accepts }: AnyOperation, status: number): JsonResponse => {
  const failure = failureWith(status);
  const codec = status === tooManyRequests ? TooManyRequestsBody : responses[status];
  const body = codec === undefined ? null : render(codec, { error: messageOf(failure) });
  return body === null || E.isLeft(body)
    ? failureResponse({ _tag: 'Unexpected', cause: `no body is known for ${status}` })
    : { ...failureHead(failure, accepts), body: body.right };
};
