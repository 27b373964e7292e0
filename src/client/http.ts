import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

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

/** No request: as many were sent as the budget allows. */
export type BudgetSpent = Readonly<{ _tag: 'BudgetSpent'; maxRequests: number }>;

/** Why a request has no response. */
export type RequestError = Unreachable | BudgetSpent;

/** The port to the network: sends one request to one server, and follows no redirect. */
export type Send<E = Unreachable> = (request: HttpRequest) => TaskEither<E, HttpResponse>;
