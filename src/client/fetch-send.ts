import * as E from '#fp-ts/Either';
import { runLater } from '../common/timers.js';

/** The safe methods of HTTP, which change nothing (RFC 9110, section 9.2.1). The API has no others. */
export type SafeMethod = 'GET' | 'HEAD' | 'OPTIONS';

/** A request as it is sent; `target` is path and query. */
export type HttpRequest = Readonly<{
  method: SafeMethod;
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Gives the request up when it is aborted. */
  signal?: AbortSignal | undefined;
}>;

/** A request that sends JSON, or nothing: to sign in and out, and to control a server. */
export type ChangeRequest = Omit<HttpRequest, 'method'> &
  Readonly<{ method: 'POST' | 'PUT' | 'DELETE'; body?: string }>;

/** A response as it was received; header names in lower case. */
export type HttpResponse = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}>;

/** The connection failed or timed out, or the server keeps asking to wait. `reason` is for people. */
export type Unreachable = Readonly<{ _tag: 'Unreachable'; reason: string; isTimeout?: boolean }>;

/** The rest of a body was not received, because it has more than `maxBytes` after decompression. */
export type ResponseTooLong = Readonly<{ _tag: 'ResponseTooLong'; request: string; maxBytes: number }>;

export type NoResponse = Unreachable | ResponseTooLong;

/**
 * Why a request has no response. `BudgetSpent`: it was not sent, because as many were as the budget allows.
 * `ResponsesTooLarge`: with this one, all responses together take more memory than is allowed.
 */
export type RequestError =
  | NoResponse
  | Readonly<{ _tag: 'BudgetSpent'; maxRequests: number }>
  | Readonly<{ _tag: 'ResponsesTooLarge'; request: string }>;

/** The port to the network: sends one request to one server, and follows no redirect. */
export type Send<Err = NoResponse, Request = HttpRequest> = (
  request: Request,
) => Promise<E.Either<Err, HttpResponse>>;

/**
 * The text of a response; null if its body, decompressed, has more than `maxBytes`. Then the rest is not
 * received: the connection is closed. A byte-order mark stays in the text, so that it can be noticed.
 */
const readText = async (response: Response, maxBytes: number): Promise<string | null> => {
  const { body } = response;
  if (body === null) return '';
  if (typeof body?.getReader !== 'function') {
    // What stands in for `fetch` may have no streams, as in React Native.
    const text = await response.text();
    return new TextEncoder().encode(text).length > maxBytes ? null : text;
  }
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [text, length] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) {
      // The connection may be beyond closing properly, and nobody needs to wait for that.
      reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
};

/** How to reach a server with `fetch`. */
export type FetchOptions = Readonly<{
  /**
   * Where the server is: an http or https URL without user, query and fragment. A path is kept. In a browser,
   * `''` is the server that the page came from, and `'/proxy'` a path on it.
   */
  baseUrl: string | URL;
  /** Milliseconds within which the whole response has to arrive. */
  timeout?: number;
  /** How many bytes the body of a response may have after decompression. The default is 64 MiB. */
  maxBody?: number;
  /** `include` sends the cookies that a browser keeps for the server: a page cannot set a `Cookie` header. */
  credentials?: 'include' | 'omit' | 'same-origin';
  /** What sends a request instead of the `fetch` of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
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
  // Looked up for each request: tests put another one in its place.
  fetch = (url, init) => globalThis.fetch(url, init),
}: FetchOptions): Send<NoResponse, HttpRequest | ChangeRequest> => {
  const base = usableBaseUrl(String(baseUrl));
  if (!(timeout >= 1 && timeout <= maxTimeout)) {
    throw new TypeError(`timeout: expected milliseconds from 1 to ${maxTimeout}, got ${timeout}`);
  }
  if (!(Number.isSafeInteger(maxBody) && maxBody >= 1)) {
    throw new TypeError(`maxBody: expected a whole number of bytes, at least 1, got ${maxBody}`);
  }
  return async ({ method, target, headers, signal, ...rest }) => {
    // Safari 17.3 has no `AbortSignal.any`, and other platforms no `AbortSignal.timeout`.
    const controller = new AbortController();
    const late = new Error(`no answer within ${timeout} ms`);
    const cancel = runLater(timeout, () => controller.abort(late));
    const giveUp = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    try {
      const response = await fetch(`${base}${target}`, {
        method,
        headers,
        ...rest,
        credentials,
        redirect: 'manual',
        // It ends the reception of the body as well.
        signal: controller.signal,
      });
      const text = await readText(response, maxBody);
      return text === null
        ? E.left({ _tag: 'ResponseTooLong', request: `${method} ${target}`, maxBytes: maxBody })
        : E.right({ status: response.status, headers: Object.fromEntries(response.headers), text });
    } catch (cause) {
      const isTimeout = controller.signal.reason === late;
      const reason = causeOf(isTimeout ? late : cause);
      return E.left({ _tag: 'Unreachable', reason, ...(isTimeout && { isTimeout }) });
    } finally {
      cancel();
      signal?.removeEventListener('abort', giveUp);
    }
  };
};

/** Timers hold no more than 2^31 - 1 milliseconds. */
const maxTimeout = 2 ** 31 - 1;

/** The URL without a trailing slash. The error does not quote it, because it may hold a password. */
const usableBaseUrl = (text: string): string => {
  // "//host" is the URL of another server, and so is "/\host", with or without a tab before "host".
  const isPath = /^(?:$|\/(?![/\\\s]))/.test(text);
  // React Native has no `URL.canParse`, nor all fields of a URL.
  const isUrl = /^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i.test(text) && (URL.canParse?.(text) ?? true);
  if (!isUrl && !(isPath && !/[?#]/.test(text))) {
    throw new TypeError(
      'baseUrl: expected an http or https URL without user, query and fragment, or a path such as "/"',
    );
  }
  return text.replace(/\/+$/, '');
};

/** `fetch` itself only says "fetch failed"; the reason is in its cause, or in the causes of that. */
const causeOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof AggregateError && thrown.message === '') return causeOf(thrown.errors[0]);
  return thrown.cause === undefined ? thrown.message : causeOf(thrown.cause);
};
