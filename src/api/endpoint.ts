import * as E from '#fp-ts/Either';
import type { Log } from '../common/log.js';
import type { ErrorBodyCodec } from '../contract/error-bodies.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import type { ApiCall } from './call.js';
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
} from './failures.js';
import { type Answering, type Handler, handlers } from './handlers.js';
import { type DecodedInput, inputDecoder, maxReportedNameLength, maxReportedNames } from './parameters.js';
import type { Rendered } from './rendered.js';
import { type ApiRequest, masked, requestLog } from './request.js';
import { type JsonResponse, withWarning } from './response.js';

/** The codec of the error body for each status that failures `F` lead to. */
type ErrorResponses<F extends Failure> = Readonly<Record<StatusOf<F>, ErrorBodyCodec>>;

/** How every operation can fail, whatever its handler does. */
type CommonFailure = ReadError | InvalidParameters | Unexpected;

export type EndpointDependencies = Readonly<{
  log: Log;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** How handlers answer: by a read each time, or by what was kept. */
  answering: Answering;
}>;

/** The answer of an operation. */
type OperationAnswer = JsonResponse & Readonly<{ kind: 'operation' }>;

/** An operation with the function that answers its requests. */
export type Endpoint = Readonly<{
  operation: AnyOperation;
  respondTo: (call: ApiCall) => Promise<OperationAnswer>;
}>;

/**
 * Implements an operation by its handler. It does not compile unless the operation lists a body for the
 * status of each failure of the handler.
 */
export const endpoint = <Op extends AnyOperation, Rows, F extends FindingNotFound>(
  { log, strict, answering }: EndpointDependencies,
  handler: Handler<Op, Rows, F>,
  errorBodies: ErrorResponses<F | CommonFailure>,
): Endpoint => {
  const { operation } = handler;
  const answerTo = answering(handler);
  const decode = inputDecoder<Op>(operation, strict);

  const answer = async (
    { context, identity }: ApiCall,
    { input, parameters }: ReturnType<typeof decode>,
  ): Promise<E.Either<F | CommonFailure, Rendered<Op['responses'][200]>>> => {
    const { credentials } = identity;
    if (E.isLeft(credentials)) return credentials;
    if (E.isRight(input))
      return answerTo(context, credentials.right, input.right, parameters, (caller) => identity.meet(caller));
    // Without valid credentials, the answer is 401: it does not reveal which parameters are valid.
    const caller = await identity.caller();
    return E.isLeft(caller) ? caller : input;
  };

  const respondTo = async (call: ApiCall): Promise<OperationAnswer> => {
    const { request, params } = call;
    const decoded = decode(params, request.querystring);
    let result: Awaited<ReturnType<typeof answer>>;
    try {
      result = await answer(call, decoded);
    } catch (cause) {
      result = E.left({ _tag: 'Unexpected', cause });
    }
    if (E.isRight(result))
      return warnOfIgnored(request, decoded, { kind: 'operation', status: 200, body: result.right });
    const failure = result.left;
    logFailure(requestLog(log, request), operation.id, failure);
    const response = failureResponse(failure, errorBody(errorBodies, failure), operation.accepts);
    return warnOfIgnored(request, decoded, { kind: 'operation', ...response });
  };

  const warnOfIgnored = (
    request: ApiRequest,
    { ignored }: DecodedInput<Op>,
    response: OperationAnswer,
  ): OperationAnswer => {
    if (ignored.length === 0) return response;
    const warning = ignoredWarning(ignored);
    request.notes.warning = masked(warning);
    requestLog(log, request)('warn', masked(warning), { operation: operation.id });
    return withWarning(response, warning);
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
  const quoted = names.slice(0, maxReportedNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > maxReportedNames ? ` and ${names.length - maxReportedNames} more` : '';
  return `ignored unknown query parameters: ${quoted.join(', ')}${more}`;
};

const cut = (name: string): string =>
  name.length > maxReportedNameLength ? `${name.slice(0, maxReportedNameLength)}...` : name;
