import type { TaskEither } from '#fp-ts/TaskEither';

/**
 * The methods that the client uses: the safe ones of HTTP (RFC 9110, section 9.2.1), which change nothing.
 */
export type SafeMethod = 'GET' | 'HEAD' | 'OPTIONS';

/** A request as it is sent; `target` is path and query. */
export type HttpRequest = Readonly<{
  method: SafeMethod;
  target: string;
  headers: Readonly<Record<string, string>>;
}>;

/** A response as it was received; header names in lower case. */
export type HttpResponse = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}>;

/**
 * No response: the connection failed or timed out, or the server keeps asking to wait. `reason` is for
 * people.
 */
export type Unreachable = Readonly<{ _tag: 'Unreachable'; reason: string }>;

/**
 * The body of a response was not received completely, because it is longer than it may be. `maxBytes` counts
 * the bytes after decompression.
 */
export type ResponseTooLong = Readonly<{ _tag: 'ResponseTooLong'; request: string; maxBytes: number }>;

/** Why a request that was sent has no response. */
export type NoResponse = Unreachable | ResponseTooLong;

/** No request: as many were sent as the budget allows. */
export type BudgetSpent = Readonly<{ _tag: 'BudgetSpent'; maxRequests: number }>;

/** Why a request has no response. */
export type RequestError = NoResponse | BudgetSpent;

/** The port to the network: sends one request to one server, and follows no redirect. */
export type Send<E = NoResponse> = (request: HttpRequest) => TaskEither<E, HttpResponse>;
