import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Send, Unreachable } from '../../client/http.js';

/**
 * Sends requests with `fetch` to the server at a base URL. A response that is not complete after `timeout` milliseconds
 * counts as no response. Redirects are not followed.
 */
export const fetchSender =
  (baseUrl: string, timeout: number): Send =>
  ({ method, target, headers }) =>
    TE.tryCatch(
      async () => {
        const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${target}`, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeout),
        });
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        };
      },
      (cause): Unreachable => ({ _tag: 'Unreachable', reason: reasonOf(cause, timeout) }),
    );

/** The message of `fetch` is always "fetch failed"; its cause, or the cause of that, says why. */
const reasonOf = (thrown: unknown, timeout: number): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `no answer within ${timeout} ms`;
  if (thrown instanceof AggregateError && thrown.message === '') return reasonOf(thrown.errors[0], timeout);
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause, timeout);
};
