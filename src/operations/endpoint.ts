import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import type { ErrorBodyCodec } from '../contract/error-bodies.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import { hashCredentials, readCredentials } from '../protocol/credentials.js';
import {
  type Failure,
  type FindingNotFound,
  failureResponse,
  type InvalidParameters,
  logFailure,
  type ReadError,
  type StatusOf,
  statusOf,
  type Unexpected,
} from '../protocol/failures.js';
import type { Rendered } from '../protocol/rendered.js';
import { type ApiRequest, masked, requestLog, warningHeader } from '../protocol/request.js';
import type { JsonResponse } from '../protocol/response.js';
import type { Caller } from '../records/account-records.js';
import type { Storage, TriageStorage } from '../storage/port.js';
import { freshAnswer, type Handler, handlers } from './handlers.js';
import { keptAnswers, type RoomForAnswers } from './kept-answers.js';
import { type DecodedInput, inputDecoder, maxReportedNameLength, maxReportedNames } from './parameters.js';

/** The codec of the error body for each status that failures `F` lead to. */
type ErrorResponses<F extends Failure> = Readonly<Record<StatusOf<F>, ErrorBodyCodec>>;

/** How every operation can fail, whatever its handler does. */
type CommonFailure = ReadError | InvalidParameters | Unexpected;

export type EndpointDependencies = Readonly<{
  storage: Pick<Storage, 'caller' | keyof TriageStorage>;
  clock: Clock;
  log: Log;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** Room for the answers of all operations. */
  room: RoomForAnswers;
}>;

/** What an endpoint uses instead of what it usually does. */
type Instead = Readonly<{
  /** By which the words of an answer are right. */
  clock?: Clock;
  /** Where rows come from. Nothing that was kept is answered then, and nothing is kept. */
  rows?: TriageStorage;
}>;

/** An operation with the function that turns a request into a response. */
export type Endpoint = Readonly<{
  operation: AnyOperation;
  /** `params`: those of the path. */
  respondTo: (
    request: ApiRequest,
    params: Readonly<Record<string, string>>,
    instead?: Instead,
  ) => Promise<JsonResponse>;
}>;

/**
 * Implements an operation by its handler. It does not compile unless the operation lists a body for the
 * status of each failure of the handler.
 */
export const endpoint = <Op extends AnyOperation, Rows, F extends FindingNotFound>(
  { storage, clock, log, strict, room }: EndpointDependencies,
  handler: Handler<Op, Rows, F>,
  errorBodies: ErrorResponses<F | CommonFailure>,
): Endpoint => {
  const { operation } = handler;
  const { accepts } = operation;
  const answerOrKept = keptAnswers(handler, room);
  const decode = inputDecoder<Op>(operation, strict);
  // Many requests come within a millisecond: without this, each takes a twentieth longer.
  let now = { moment: 0, timestamp: timestampAt(0) };

  const answer = async (
    request: ApiRequest,
    { input, parameters }: ReturnType<typeof decode>,
    { clock: by = clock, rows }: Instead,
  ): Promise<E.Either<F | CommonFailure, Rendered<Op['responses'][200]>>> => {
    const moment = Math.trunc(clock());
    if (moment !== now.moment) now = { moment, timestamp: timestampAt(moment) };
    const credentials = hashCredentials(readCredentials(request.headers, accepts), now.timestamp);
    if (E.isLeft(credentials)) return credentials;
    const noteCaller = ({ userId }: Caller): void => {
      request.notes.tenantId = userId;
    };
    if (E.isRight(input))
      return rows === undefined
        ? answerOrKept(storage, credentials.right, input.right, parameters, by, noteCaller)
        : freshAnswer(handler, rows, credentials.right, input.right, by, noteCaller);
    // Without valid credentials, the answer is 401: it does not reveal which parameters are valid.
    const caller = await storage.caller(credentials.right);
    if (E.isLeft(caller)) return caller;
    noteCaller(caller.right);
    return input;
  };

  const respondTo: Endpoint['respondTo'] = async (request, params, instead = {}) => {
    const decoded = decode(params, request.querystring);
    let answered: Awaited<ReturnType<typeof answer>>;
    try {
      answered = await answer(request, decoded, instead);
    } catch (cause) {
      answered = E.left({ _tag: 'Unexpected', cause });
    }
    if (E.isRight(answered)) return withWarning(request, decoded, { status: 200, body: answered.right });
    const failure = answered.left;
    logFailure(requestLog(log, request), operation.id, failure);
    return withWarning(request, decoded, failureResponse(failure, errorBody(errorBodies, failure), accepts));
  };

  const withWarning = (
    request: ApiRequest,
    { ignored }: DecodedInput<Op>,
    response: JsonResponse,
  ): JsonResponse => {
    if (ignored.length === 0) return response;
    const warning = ignoredWarning(ignored);
    request.notes.warning = masked(warning);
    requestLog(log, request)('warn', masked(warning), { operation: operation.id });
    const earlier = request.notes.headers?.[warningHeader];
    const both = earlier === undefined ? warning : `${earlier}; ${warning}`;
    return { ...response, headers: { [warningHeader]: both, ...response.headers } };
  };

  return { operation, respondTo };
};

/** Every operation of the contract with its handler (contract, section 4). */
export const endpoints = (dependencies: EndpointDependencies): readonly Endpoint[] => [
  endpoint(dependencies, handlers.listConnectedRepos, operations.listConnectedRepos.responses),
  endpoint(dependencies, handlers.listFindings, operations.listFindings.responses),
  endpoint(dependencies, handlers.getFinding, operations.getFinding.responses),
  endpoint(dependencies, handlers.listPrs, operations.listPrs.responses),
];

/** The body that an operation lists for the status of a failure. */
const errorBody = <F extends Failure>(bodies: ErrorResponses<F>, failure: F): ErrorBodyCodec => {
  const tag: F['_tag'] = failure._tag;
  const status: StatusOf<F> = statusOf(tag);
  return bodies[status];
};

/** The value of `X-Triage-Warning`; a header cannot carry every character, so names are encoded. */
const ignoredWarning = (names: readonly string[]): string => {
  const shown = names.slice(0, maxReportedNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > maxReportedNames ? ` and ${names.length - maxReportedNames} more` : '';
  return `ignored unknown query parameters: ${shown.join(', ')}${more}`;
};

const cut = (name: string): string =>
  name.length > maxReportedNameLength ? `${name.slice(0, maxReportedNameLength)}...` : name;
