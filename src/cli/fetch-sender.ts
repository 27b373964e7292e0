import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Send, Unreachable } from '../client/http.js';

/**
 * Sends requests over the network with `fetch`, to a server under a base URL. An answer that is not there in whole after
 * `timeout` milliseconds is none. Redirections are answers like any other.
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

/** What `fetch` says is "fetch failed"; why stands in the cause, or in the causes of that. */
const reasonOf = (thrown: unknown, timeout: number): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `no answer within ${timeout} ms`;
  if (thrown instanceof AggregateError && thrown.message === '') return reasonOf(thrown.errors[0], timeout);
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause, timeout);
};
