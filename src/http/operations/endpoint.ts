import * as E from '#fp-ts/Either';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { ErrorBodyCodec } from '../../contract/error-bodies.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import type { PresentedCredentials, Storage, StorageError, Unauthorized } from '../../storage/port.js';
import { readCredentials } from './credentials.js';
import {
  type Failure,
  failureResponse,
  logFailure,
  type StatusOf,
  statusOf,
  type Unexpected,
} from './failures.js';
import type { ApiError, Handler, handlers, InvalidParameters } from './handlers.js';
import { type DecodedInput, inputDecoder, maxReportedNameLength, maxReportedNames } from './parameters.js';
import type { Rendered } from './rendered.js';
import { type ApiRequest, masked, requestLog, warningHeader } from './request.js';
import type { JsonResponse } from './response.js';

/** The codec of the error body for each status that failures `F` lead to. */
type ErrorResponses<F extends Failure> = Readonly<Record<StatusOf<F>, ErrorBodyCodec>>;

/** How every operation can fail, whatever its handler does. */
type CommonFailure = StorageError | Unauthorized | InvalidParameters | Unexpected;

export type EndpointDependencies = Readonly<{
  storage: Pick<Storage, 'caller'>;
  clock: Clock;
  log: Log;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
}>;

/** An operation with the function that turns a request into a response. */
export type Endpoint = Readonly<{
  operation: AnyOperation;
  /** `params`: those of the path. `querystring`: what stands for the query of the request. */
  respondTo: (
    request: ApiRequest,
    params: Readonly<Record<string, string>>,
    querystring?: string,
  ) => Promise<JsonResponse>;
}>;

/** What a handler answers: a failure, or a body. */
type Answer<F, Op extends AnyOperation> = E.Either<F, Rendered<Op['responses'][200]>>;

/**
 * Implements an operation. It does not compile unless the handler renders the operation's 200 codec and the
 * operation lists a body for the status of each failure of the handler.
 */
export const endpoint = <Op extends AnyOperation, F extends ApiError>(
  { storage, clock, log, strict }: EndpointDependencies,
  operation: Op & Readonly<{ responses: ErrorResponses<F | CommonFailure> }>,
  handler: Handler<Op, F>,
): Endpoint => {
  const { accepts } = operation;
  const decode = inputDecoder<Op>(operation, strict);
  const errorBodies: ErrorResponses<F | CommonFailure> = operation.responses;
  // Many requests come within a millisecond.
  let now = { moment: 0, timestamp: timestampAt(0) };

  const presented = (request: ApiRequest): E.Either<Unauthorized, PresentedCredentials> => {
    const moment = Math.trunc(clock());
    if (moment !== now.moment) now = { moment, timestamp: timestampAt(moment) };
    return hashCredentials(readCredentials(request.req.headers, accepts), now.timestamp, ({ userId }) => {
      request.state.tenantId = userId;
    });
  };

  /** Without valid credentials, the answer is 401: it does not reveal which parameters are valid. */
  const refuse = async (
    credentials: PresentedCredentials,
    failure: InvalidParameters,
  ): Promise<E.Either<F | CommonFailure, never>> => {
    const caller = await storage.caller(credentials);
    if (E.isLeft(caller)) return caller;
    credentials.onCaller?.(caller.right);
    return E.left(failure);
  };

  const respondTo: Endpoint['respondTo'] = async (request, params, querystring = request.querystring) => {
    const decoded = decode(params, querystring);
    let answered: Answer<F | CommonFailure, Op>;
    try {
      const credentials = presented(request);
      if (E.isLeft(credentials)) answered = credentials;
      else if (E.isLeft(decoded.input)) answered = await refuse(credentials.right, decoded.input.left);
      else answered = await handler({ credentials: credentials.right, ...decoded.input.right });
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
    request.state.warning = masked(warning);
    requestLog(log, request)('warn', masked(warning), { operation: operation.id });
    const { lostSession } = request.state;
    const both = lostSession === undefined ? warning : `${lostSession}; ${warning}`;
    return { ...response, headers: { [warningHeader]: both, ...response.headers } };
  };

  return { operation, respondTo };
};

/** Every operation of the contract with its handler (contract, section 4). */
export const endpoints = (
  dependencies: EndpointDependencies,
  api: ReturnType<typeof handlers>,
): readonly Endpoint[] => [
  endpoint(dependencies, operations.listConnectedRepos, api.listConnectedRepos),
  endpoint(dependencies, operations.listFindings, api.listFindings),
  endpoint(dependencies, operations.getFinding, api.getFinding),
  endpoint(dependencies, operations.listPrs, api.listPrs),
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
