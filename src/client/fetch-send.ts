import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Send, Unreachable } from './http.js';

/** How to reach a server with `fetch`. */
export type FetchOptions = Readonly<{
  /** Where the server is; a path below the host is kept. */
  baseUrl: string;
  /** Milliseconds within which the whole response has to arrive. */
  timeout?: number;
  /** `include` sends the cookies that a browser keeps for the server: a page cannot set a `Cookie` header. */
  credentials?: 'include' | 'omit' | 'same-origin';
}>;

/** Sends requests with `fetch`, in browsers and in Node. A redirect is a response like any other. */
export const fetchSend =
  ({ baseUrl, timeout = 30_000, credentials = 'same-origin' }: FetchOptions): Send =>
  ({ method, target, headers }) =>
    TE.tryCatch(
      async () => {
        const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${target}`, {
          method,
          headers,
          credentials,
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

/** `fetch` itself only says "fetch failed"; the reason is in its cause, or in the causes of that. */
const reasonOf = (thrown: unknown, timeout: number): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `no answer within ${timeout} ms`;
  if (thrown instanceof AggregateError && thrown.message === '') return reasonOf(thrown.errors[0], timeout);
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause, timeout);
};
