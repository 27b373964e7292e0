import type { AccountError } from '../accounts/account-flow.js';
import type { TooManyAttempts } from '../accounts/login-limits.js';
import type { Log } from '../common/log.js';
import { formatProblem, type Problem } from '../contract/codecs/problem.js';
import {
  ErrorBody,
  type ErrorBodyCodec,
  FindingNotFoundBody,
  type FixedErrorCodec,
  InternalServerErrorBody,
  MethodNotAllowedBody,
  NotFoundBody,
  ServiceUnavailableBody,
  TooManyRequestsBody,
  UnauthorizedBody,
} from '../contract/error-bodies.js';
import type { CredentialKind } from '../contract/operations.js';
import type { StorageError, Unauthorized } from '../storage/port.js';
import { challenge } from './credentials.js';
import { renderError } from './rendered.js';
import { type ApiRequest, harmlessPath, masked, operationNameOf, requestLog } from './request.js';
import type { JsonResponse } from './response.js';

/** What is said about too many attempts; `wait`: how long to wait, in words. */
export const attemptsMessage = ({ limit }: Pick<TooManyAttempts, 'limit'>, wait: string): string =>
  `Too many attempts: try again in ${wait}${
    limit === undefined
      ? ''
      : '. The option --signup-limit of the server sets how many sign-ups an address may try in an hour'
  }`;

/** A response that would break the contract; `row` names the row of the storage that it comes from. */
export type ContractBroken = Readonly<{
  _tag: 'ContractBroken';
  row: string;
  problems: readonly Problem[];
}>;

/** Why any operation may have no answer. */
export type ReadError = StorageError | Unauthorized | ContractBroken;

/** No finding of the caller has this id (contract, section 4.3). */
export type FindingNotFound = Readonly<{ _tag: 'FindingNotFound' }>;

/** Parameters that the operation does not accept; the problems name them. */
export type InvalidParameters = Readonly<{ _tag: 'InvalidParameters'; problems: readonly Problem[] }>;

/** Every way in which an operation can fail. */
export type ApiError = ReadError | FindingNotFound | InvalidParameters;

/** A request that is refused before it reaches the API or the accounts. */
export type RequestRefused =
  | Readonly<{ _tag: 'MalformedRequest' | 'NotFound' | 'MethodNotAllowed' }>
  | Readonly<{ _tag: 'MalformedBody' | 'BodyTooLong' | 'UnsupportedMediaType' }>
  | Readonly<{ _tag: 'HostRefused'; host: string }>
  /** `advice`: what to set, if the page is the operator's own. */
  | Readonly<{ _tag: 'CrossSiteRequest'; advice?: string }>;

/** A request to the mock controls that cannot be met. */
export type ControlFailure =
  | Readonly<{ _tag: 'ControlInvalid'; problems: readonly Problem[] }>
  | Readonly<{ _tag: 'ControlMissing'; what: string }>
  | Readonly<{ _tag: 'ControlBodyTooLong' | 'ControlMediaType'; expected: string }>;

/** A client has sent more requests than the limit of the server allows. */
type RateLimited = Readonly<{ _tag: 'RateLimited'; retryAfterSeconds: number }>;

/** Something threw: a fault of the program. */
export type Unexpected = Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Every way in which a request can fail. */
export type Failure = ApiError | AccountError | RequestRefused | ControlFailure | RateLimited | Unexpected;

/** Seconds after which a client may retry when the storage is unavailable, busy or read-only. */
const storageRetrySeconds = 1;

/** Seconds after which a client may retry a login or sign-up that found no place in the queue. */
const busyRetrySeconds = 5;

/** How long a form may be, in kB of 1,024 bytes. */
export const maxFormLength = 16;

const errorOf = <Message extends string>({ type }: FixedErrorCodec<Message>): Message =>
  type.props.error.value;

const serverError = errorOf(InternalServerErrorBody);

/**
 * The one table from a failure to its status and its text (contract, section 7; where it is silent, our
 * decisions). Null: the text depends on the failure (`messageOf`).
 */
const facts = {
  InvalidParameters: [400, null],
  InvalidForm: [400, null],
  MalformedRequest: [400, 'Bad Request'],
  MalformedBody: [400, 'The body cannot be read'],
  ControlInvalid: [400, null],
  Unauthorized: [401, errorOf(UnauthorizedBody)],
  WrongCredentials: [401, 'The e-mail address or the password is wrong'],
  WrongPassword: [401, 'The password is wrong'],
  // Not 409: the status of a failed sign-up is that of a failed login.
  EmailTaken: [401, 'No account can be created with this address. If it is yours, log in instead'],
  CrossSiteRequest: [403, null],
  FindingNotFound: [404, errorOf(FindingNotFoundBody)],
  ApiTokenNotFound: [404, 'API token not found'],
  DemoAccountNotFound: [404, 'No demo account with this name, id or e-mail address is open to you here'],
  NotFound: [404, errorOf(NotFoundBody)],
  ControlMissing: [404, null],
  MethodNotAllowed: [405, errorOf(MethodNotAllowedBody)],
  AccountReadOnly: [409, 'This account comes from a fixture file and cannot be changed here'],
  TooManyApiTokens: [409, 'You have reached the maximum number of API tokens: revoke one first'],
  AccountPublished: [409, null],
  BodyTooLong: [413, `The body is longer than ${maxFormLength}kb`],
  ControlBodyTooLong: [413, null],
  UnsupportedMediaType: [415, 'Expected application/json or application/x-www-form-urlencoded'],
  ControlMediaType: [415, null],
  HostRefused: [421, null],
  TooManyAttempts: [429, null],
  RateLimited: [429, errorOf(TooManyRequestsBody)],
  ContractBroken: [500, serverError],
  RecordBroken: [500, serverError],
  StorageFailed: [500, serverError],
  Unexpected: [500, serverError],
  StorageUnavailable: [503, errorOf(ServiceUnavailableBody)],
  StorageBusy: [503, errorOf(ServiceUnavailableBody)],
  StorageReadOnly: [503, errorOf(ServiceUnavailableBody)],
  Busy: [503, `Too many logins and sign-ups are in progress: try again in ${busyRetrySeconds} seconds`],
} as const satisfies Readonly<Record<Failure['_tag'], readonly [status: number, text: string | null]>>;

/** The status of a failure, as a type. */
export type StatusOf<F extends Failure> = (typeof facts)[F['_tag']][0];

/** The status of a failure with this tag. */
export const statusOf = <Tag extends Failure['_tag']>(tag: Tag): (typeof facts)[Tag][0] => facts[tag][0];

/** What a client is told about a failure: nothing about the server or about other users. */
export const messageOf = (failure: Failure): string => {
  switch (failure._tag) {
    case 'InvalidParameters':
      return messages(failure.problems, '""');
    case 'InvalidForm':
      return messages(failure.problems, 'body');
    case 'HostRefused':
      return `This server does not answer for ${failure.host}; its option --allowed-host names the hosts that it does`;
    case 'CrossSiteRequest':
      return `Requests from other sites are not accepted${failure.advice === undefined ? '' : `. ${failure.advice}`}`;
    case 'AccountPublished':
      return (
        'This demo account is shared, so visitors can only read. ' +
        `Sign up for an account of your own to ${failure.wish}, or start the server with --mutable-demo`
      );
    case 'TooManyAttempts':
      return attemptsMessage(failure, `${failure.retryAfterSeconds} seconds`);
    case 'ControlInvalid':
      return failure.problems.map(formatProblem).join('; ');
    case 'ControlMissing':
      return `There is no ${failure.what}`;
    case 'ControlBodyTooLong':
      return `The body is longer than ${failure.expected}`;
    case 'ControlMediaType':
      return `Expected ${failure.expected}`;
    default:
      return facts[failure._tag][1];
  }
};

/**
 * The messages of all problems. A value of the wrong type gets the name of its parameter or field in front,
 * `nameless` where that is empty; other messages name it themselves.
 */
const messages = (problems: readonly Problem[], nameless: string): string =>
  problems
    .map(({ path, message, expected }) =>
      expected === null ? message : `${path.join('/') || nameless}: ${message}`,
    )
    .join('; ');

/** Seconds after which it may help to repeat a request (`Retry-After`); null: it does not help. */
export const retryAfterSeconds = (failure: Failure): number | null => {
  switch (failure._tag) {
    case 'StorageUnavailable':
    case 'StorageBusy':
    case 'StorageReadOnly':
      return storageRetrySeconds;
    case 'Busy':
      return busyRetrySeconds;
    case 'TooManyAttempts':
    case 'RateLimited':
      return failure.retryAfterSeconds;
    default:
      return null;
  }
};

/**
 * Logs what the client is not told. Failures of the storage are details: whoever watches it logs its outages.
 */
export const logFailure = (log: Log, operation: string, error: Failure): void => {
  const line = logLine(error);
  if (line === null) return;
  const [level, event, details] = line;
  log(level, event, { operation, ...details });
};

const logLine = (error: Failure): Parameters<Log> | null => {
  switch (error._tag) {
    case 'ContractBroken':
      return ['error', 'a response would break the contract', { row: error.row, ...formatted(error) }];
    case 'RecordBroken':
      return ['error', 'the storage holds a broken record', { where: error.where, ...formatted(error) }];
    case 'StorageUnavailable':
      return ['debug', 'the storage cannot be reached', { cause: String(error.cause) }];
    case 'StorageBusy':
      return ['debug', 'the storage is busy', { cause: String(error.cause) }];
    case 'StorageReadOnly':
      return ['debug', 'the storage is read-only', { cause: String(error.cause) }];
    case 'StorageFailed':
      return ['debug', 'the storage failed', { cause: stackOf(error.cause) }];
    case 'Unexpected':
      return ['error', 'a request failed unexpectedly', { cause: stackOf(error.cause) }];
    default:
      return null;
  }
};

const formatted = ({ problems }: Readonly<{ problems: readonly Problem[] }>) => ({
  problems: problems.map(formatProblem),
});

const stackOf = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);

/** The status and headers of a failure; `accepts`: the credentials that a 401 asks for. */
export const failureHead = (
  failure: Failure,
  accepts: readonly CredentialKind[],
): Pick<JsonResponse, 'status' | 'headers'> => {
  const status = statusOf(failure._tag);
  const retryAfter = retryAfterSeconds(failure);
  return {
    status,
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': challenge(accepts) } : {}),
      ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
    },
  };
};

/** A failure as JSON, its body validated by `codec`: that of the operation, or the general one. */
export const failureResponse = (
  failure: Failure,
  codec: ErrorBodyCodec = ErrorBody,
  accepts: readonly CredentialKind[] = ['session'],
): JsonResponse => ({ ...failureHead(failure, accepts), body: renderError(codec, messageOf(failure)) });

/** Logs what was thrown while a request was worked on, and returns a failure that says nothing about it. */
export const unexpectedFailure = (
  log: Log,
  request: Pick<ApiRequest, 'headers' | 'id' | 'method' | 'notes' | 'target'>,
  cause: unknown,
): Unexpected => {
  const failure: Unexpected = { _tag: 'Unexpected', cause };
  // What was thrown before a route was found belongs to no operation yet.
  const url = masked(harmlessPath(request.target));
  const withTarget: Log = (level, event, details) =>
    requestLog(log, request)(level, event, { method: request.method, url, ...details });
  logFailure(withTarget, operationNameOf(request), failure);
  return failure;
};
