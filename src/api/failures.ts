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
import { challenge } from './credentials.js';
import { renderError } from './rendered.js';
import { type ApiRequest, harmlessPath, masked, operationNameOf, requestLog } from './request.js';
import type { JsonResponse } from './response.js';
import type { NotReady, StorageError, Unauthorized } from './storage-port.js';

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

/** A request that is refused before it reaches the API. */
export type RequestRefused =
  | Readonly<{ _tag: 'MalformedRequest' | 'NotFound' | 'MethodNotAllowed' }>
  | Readonly<{ _tag: 'HostRefused'; host: string }>;

/** A client has sent more requests than the limit of the server allows. */
type RateLimited = Readonly<{ _tag: 'RateLimited'; retryAfterSeconds: number }>;

/** Something threw: a fault of the program. */
export type Unexpected = Readonly<{ _tag: 'Unexpected'; cause: unknown }>;

/** Every way in which a request can fail that is not for a page or a control. */
export type Failure = ApiError | RequestRefused | RateLimited | Unexpected;

type Tagged = Readonly<{ _tag: string }>;

/** What clients are told about the failures `F`: nothing about the server or about other users. */
export type FailureFacts<F extends Tagged> = Readonly<{
  has: (failure: Tagged) => failure is F;
  statusOf: (failure: F) => number;
  messageOf: (failure: F) => string;
  /** Seconds after which it may help to repeat a request (`Retry-After`); null: it does not help. */
  retryAfterSeconds: (failure: F) => number | null;
}>;

/** Facts by a table of statuses and texts. Null: the text depends on the failure, and `textOf` tells it. */
export const failureFacts = <F extends Tagged>(
  table: Readonly<Record<F['_tag'], readonly [status: number, text: string | null]>>,
  textOf: (failure: F) => string | null = () => null,
  retryAfterSeconds: FailureFacts<F>['retryAfterSeconds'] = () => null,
): FailureFacts<F> => {
  const entryOf = (failure: F): readonly [status: number, text: string | null] => {
    const tag: F['_tag'] = failure._tag;
    return table[tag];
  };
  return {
    has: (failure): failure is F => Object.hasOwn(table, failure._tag),
    statusOf: (failure) => entryOf(failure)[0],
    messageOf: (failure) => entryOf(failure)[1] ?? textOf(failure) ?? '',
    retryAfterSeconds,
  };
};

/** The facts of two owners together. */
export const factsOfBoth = <A extends Tagged, B extends Tagged>(
  one: FailureFacts<A>,
  other: FailureFacts<B>,
): FailureFacts<A | B> => ({
  has: (failure): failure is A | B => one.has(failure) || other.has(failure),
  statusOf: (failure) => (one.has(failure) ? one.statusOf(failure) : other.statusOf(failure)),
  messageOf: (failure) => (one.has(failure) ? one.messageOf(failure) : other.messageOf(failure)),
  retryAfterSeconds: (failure) =>
    one.has(failure) ? one.retryAfterSeconds(failure) : other.retryAfterSeconds(failure),
});

/** Seconds after which a client may retry when the storage is unavailable, busy or read-only. */
const storageRetrySeconds = 1;

const errorOf = <Message extends string>({ type }: FixedErrorCodec<Message>): Message =>
  type.props.error.value;

const serverError = errorOf(InternalServerErrorBody);

/** The status and the text of each failure (contract, section 7; where it is silent, our decisions). */
const table = {
  InvalidParameters: [400, null],
  MalformedRequest: [400, 'Bad Request'],
  Unauthorized: [401, errorOf(UnauthorizedBody)],
  FindingNotFound: [404, errorOf(FindingNotFoundBody)],
  NotFound: [404, errorOf(NotFoundBody)],
  MethodNotAllowed: [405, errorOf(MethodNotAllowedBody)],
  HostRefused: [421, null],
  RateLimited: [429, errorOf(TooManyRequestsBody)],
  ContractBroken: [500, serverError],
  RecordBroken: [500, serverError],
  StorageFailed: [500, serverError],
  Unexpected: [500, serverError],
  StorageUnavailable: [503, errorOf(ServiceUnavailableBody)],
  StorageBusy: [503, errorOf(ServiceUnavailableBody)],
  StorageReadOnly: [503, errorOf(ServiceUnavailableBody)],
} as const satisfies Readonly<Record<Failure['_tag'], readonly [status: number, text: string | null]>>;

/** The status of a failure, as a type. */
export type StatusOf<F extends Failure> = (typeof table)[F['_tag']][0];

/** The status of a failure with this tag. */
export const statusOf = <Tag extends Failure['_tag']>(tag: Tag): (typeof table)[Tag][0] => table[tag][0];

export const apiFailures: FailureFacts<Failure> = failureFacts<Failure>(
  table,
  (failure) => {
    switch (failure._tag) {
      case 'InvalidParameters':
        return messagesOf(failure.problems, '""');
      case 'HostRefused':
        return `This server does not answer for ${failure.host}; its option --allowed-host names the hosts that it does`;
      default:
        return null;
    }
  },
  (failure) => {
    if (failure._tag === 'RateLimited') return failure.retryAfterSeconds;
    return table[failure._tag][0] === 503 ? storageRetrySeconds : null;
  },
);

/**
 * The messages of all problems. A value of the wrong type gets the name of its parameter or field in front,
 * `nameless` where that is empty; other messages name it themselves.
 */
export const messagesOf = (problems: readonly Problem[], nameless: string): string =>
  problems
    .map(({ path, message, expected }) =>
      expected === null ? message : `${path.join('/') || nameless}: ${message}`,
    )
    .join('; ');

/**
 * Logs what the client is not told. Failures of the storage are details: whoever watches it logs its outages.
 */
export const logFailure = (log: Log, operation: string, error: Failure | NotReady): void => {
  const line = logLine(error);
  if (line === null) return;
  const [level, event, details] = line;
  log(level, event, { operation, ...details });
};

const logLine = (error: Failure | NotReady): Parameters<Log> | null => {
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
export const headOf = <F extends Tagged>(
  { statusOf, retryAfterSeconds }: FailureFacts<F>,
  failure: F,
  accepts: readonly CredentialKind[],
): Pick<JsonResponse, 'status' | 'headers'> => {
  const status = statusOf(failure);
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
export const responseTo = <F extends Tagged>(
  facts: FailureFacts<F>,
  failure: F,
  codec: ErrorBodyCodec = ErrorBody,
  accepts: readonly CredentialKind[] = ['session'],
): JsonResponse => ({
  ...headOf(facts, failure, accepts),
  body: renderError(codec, facts.messageOf(failure)),
});

/** The same of a failure of the API. */
export const failureResponse = (
  failure: Failure,
  codec?: ErrorBodyCodec,
  accepts?: readonly CredentialKind[],
): JsonResponse => responseTo(apiFailures, failure, codec, accepts);

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
