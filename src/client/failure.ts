import { formatProblem } from '../contract/codecs/problem.js';
import { UnauthorizedBody } from '../contract/error-bodies.js';
import type { NoResponse } from './fetch-send.js';
import type { ContractViolation, ErrorResponse } from './response.js';

/** Nothing was sent: a credential or a path parameter cannot be part of a request. */
export type InvalidInput = Readonly<{ _tag: 'InvalidInput'; reason: string }>;

/** The signal of the call was aborted, with this reason. */
export type Aborted = Readonly<{ _tag: 'Aborted'; reason: unknown }>;

/** The base URL leads nowhere. Null: there is no response. */
export type Misconfigured = Readonly<{
  _tag: 'Misconfigured';
  reason: string;
  status: number | null;
  body: unknown;
}>;

/** Why a call has no result. */
export type ClientError =
  | NoResponse
  | ErrorResponse
  | ContractViolation
  | InvalidInput
  | Misconfigured
  | Aborted;

/** What happened, in a word. */
export type FailureKind =
  /** 401. */
  | 'unauthorized'
  /** 403. */
  | 'forbidden'
  /** 404: of `getFinding`, there is no such finding. */
  | 'not-found'
  /** 400, or nothing was sent, because a parameter or a credential cannot be part of a request. */
  | 'invalid-parameters'
  /** 429. */
  | 'rate-limited'
  /** Any other status that is no success. */
  | 'server'
  /** What stands before the server has answered: 502, 504, a redirect, or a page of HTML. */
  | 'gateway'
  /** There is no response: the connection failed. */
  | 'network'
  /** The base URL is wrong. */
  | 'misconfigured'
  /** There is no whole response in time. */
  | 'timeout'
  /** The signal of the call was aborted. */
  | 'aborted'
  /** The body is longer than `maxBody`. */
  | 'response-too-long'
  /** A success, or a failure whose body the contract shows, has another body. */
  | 'contract-violation';

/** What a failed call has to say. */
export type Failure = Readonly<{
  kind: FailureKind;
  /** A sentence that people can be shown. */
  message: string;
  /** What is wrong with parameters or with a body, a line each. */
  problems: readonly string[];
  /** After how many milliseconds the server wants to be asked again; null: it does not say. */
  retryAfter: number | null;
}>;

/** What to make of an error. */
export const failureOf = (error: ClientError): Failure => {
  const say = (kind: FailureKind, message: string, problems: readonly string[] = []): Failure => ({
    kind,
    message,
    problems,
    retryAfter: null,
  });
  switch (error._tag) {
    case 'Aborted':
      return say('aborted', 'The request was cancelled.');
    case 'InvalidInput':
      return say('invalid-parameters', `The request cannot be sent: ${error.reason}.`, [error.reason]);
    case 'Misconfigured':
      return say('misconfigured', `The client is misconfigured: ${error.reason}.`);
    case 'Unreachable':
      return error.isTimeout === true
        ? say('timeout', `The server takes too long: ${error.reason}.`)
        : say('network', `The connection to the server failed: ${error.reason}.`);
    case 'ResponseTooLong':
      return say('response-too-long', `The body of the response has more than ${error.maxBytes} bytes.`);
    case 'ContractViolation': {
      if (isHtml(error)) return say('gateway', htmlMessage(error));
      const problems = error.problems.map(formatProblem);
      const few = problems.slice(0, 3).join('; ');
      return say(
        'contract-violation',
        `The response (${error.status}) breaks the contract: ${few}.`,
        problems,
      );
    }
    case 'ErrorResponse':
      return { ...say(...describeResponse(error)), retryAfter: retryAfterOf(error) };
  }
};

/** The kind of a status that is no success, a sentence, and problems. */
const describeResponse = (error: ErrorResponse): readonly [FailureKind, string, (readonly string[])?] => {
  const { status, message, headers } = error;
  // Browsers hide where a redirect leads, and its status: it is 0 there.
  if (status < 400) {
    const target = headers.location === undefined ? '' : ` to ${headers.location}`;
    return [
      'gateway',
      `The request was redirected${target}, as a login page in front of the server does it.`,
    ];
  }
  if (isHtml(error)) return ['gateway', htmlMessage(error)];
  switch (status) {
    case 400:
      return ['invalid-parameters', `The server refuses the request: ${message}.`, message.split('; ')];
    case 401:
      // What a login says is more.
      return ['unauthorized', message === unauthorized ? notSignedIn : `${message}.`];
    case 403:
      return ['forbidden', `The server does not allow this: ${message}.`];
    case 404:
      return ['not-found', `The server does not have this: ${message}.`];
    case 429: {
      const wait = retryAfterOf(error);
      const when = wait === null ? 'later' : `in ${Math.ceil(wait / 1000)} seconds`;
      return ['rate-limited', `There were too many requests; try again ${when}.`];
    }
    case 502:
    case 504:
      return ['gateway', `A gateway cannot reach the server, or has no answer in time (${status}).`];
    default:
      return [
        'server',
        `The server ${status < 500 ? 'refuses this' : 'failed'} with status ${status}: ${message}.`,
      ];
  }
};

const unauthorized = UnauthorizedBody.type.props.error.value;
const notSignedIn = 'You are not signed in: the session or API token is missing, wrong or expired.';

export const isHtml = ({ headers, body }: ErrorResponse | ContractViolation): boolean =>
  typeof body === 'string' &&
  (/^text\/html\b/i.test(headers['content-type'] ?? '') || /^\s*<(?:!doctype\b|html\b)/i.test(body));

const htmlMessage = ({ status }: ErrorResponse | ContractViolation): string =>
  `A page of HTML came in place of JSON (${status}), as from a gateway or a wrong address.`;

/** `Retry-After` may name a moment by the server's clock. */
const retryAfterOf = ({ headers }: ErrorResponse): number | null =>
  parseRetryAfter(headers['retry-after'] ?? '', Date.parse(headers.date ?? ''));

/** The milliseconds that `Retry-After` asks to wait (RFC 9110, section 10.2.3); null if it is malformed. */
export const parseRetryAfter = (header: string, now: number): number | null => {
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : null;
};
