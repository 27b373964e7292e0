import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** The methods that are used here: the safe ones of HTTP (RFC 9110, section 9.2.1), which ask for no change. */
export type SafeMethod = 'GET' | 'HEAD' | 'OPTIONS';

/** A request as it travels; `target` is path and query. */
export type HttpRequest = Readonly<{
  method: SafeMethod;
  target: string;
  headers: Readonly<Record<string, string>>;
}>;

/** What came back; header names in lower case. */
export type HttpResponse = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}>;

/** No answer: the connection, the time-out, or a server that keeps asking to wait; `reason` for people. */
export type Unreachable = Readonly<{ _tag: 'Unreachable'; reason: string }>;

/** The port to the network: sends one request to the server that is judged, and follows no redirection. */
export type Send = (request: HttpRequest) => TaskEither<Unreachable, HttpResponse>;
