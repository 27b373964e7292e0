import * as E from '#fp-ts/Either';
import type { HttpResponse, NoResponse, Send } from './http.js';
import { readText } from './read-text.js';

/** How to reach a server with `fetch`. */
export type FetchOptions = Readonly<{
  /** Where the server is: an http or https URL without user, query and fragment. A path is kept. */
  baseUrl: string | URL;
  /** Milliseconds within which the whole response has to arrive. */
  timeout?: number;
  /** How many bytes the body of a response may have after decompression. The default is 64 MiB. */
  maxBody?: number;
  /** `include` sends the cookies that a browser keeps for the server: a page cannot set a `Cookie` header. */
  credentials?: 'include' | 'omit' | 'same-origin';
}>;

/**
 * Sends requests with `fetch`, in browsers and in Node. Redirects are not followed. Throws a `TypeError` if
 * the base URL, the timeout or the maximum length cannot be used.
 */
export const fetchSend = ({
  baseUrl,
  timeout = 30_000,
  maxBody = 64 * 1024 * 1024,
  credentials = 'same-origin',
}: FetchOptions): Send => {
  const base = usableBaseUrl(String(baseUrl));
  if (!(timeout >= 1 && timeout <= maxTimeout)) {
    throw new TypeError(`timeout: expected milliseconds from 1 to ${maxTimeout}, got ${timeout}`);
  }
  if (!(Number.isSafeInteger(maxBody) && maxBody >= 1)) {
    throw new TypeError(`maxBody: expected a whole number of bytes, at least 1, got ${maxBody}`);
  }
  return ({ method, target, headers }) =>
    async (): Promise<E.Either<NoResponse, HttpResponse>> => {
      try {
        const response = await fetch(`${base}${target}`, {
          method,
          headers,
          credentials,
          redirect: 'manual',
          // It ends the reception of the body as well.
          signal: AbortSignal.timeout(timeout),
        });
        const text = await readText(response, maxBody);
        return text === null
          ? E.left({ _tag: 'ResponseTooLong', request: `${method} ${target}`, maxBytes: maxBody })
          : E.right({ status: response.status, headers: Object.fromEntries(response.headers), text });
      } catch (cause) {
        return E.left({ _tag: 'Unreachable', reason: reasonOf(cause, timeout) });
      }
    };
};

/** Timers hold no more than 2^31 - 1 milliseconds. */
const maxTimeout = 2 ** 31 - 1;

/** The URL without a trailing slash. The error does not quote it, because it may hold a password. */
const usableBaseUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    [url.username, url.password].every((part) => part === '') &&
    !/[?#]/.test(text);
  if (!isUsable) {
    throw new TypeError('baseUrl: expected an http or https URL without user, query and fragment');
  }
  return text.replace(/\/+$/, '');
};

/** `fetch` itself only says "fetch failed"; the reason is in its cause, or in the causes of that. */
const reasonOf = (thrown: unknown, timeout: number): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.name === 'TimeoutError') return `no answer within ${timeout} ms`;
  if (thrown instanceof AggregateError && thrown.message === '') return reasonOf(thrown.errors[0], timeout);
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause, timeout);
};
