import * as E from '#fp-ts/Either';
import { hashCredentials } from '../../accounts/sessions-and-tokens.js';
import type { Clock } from '../../common/clock.js';
import type { Log } from '../../common/log.js';
import { timestampClock } from '../../contract/codecs/timestamp.js';
import type { ErrorBodyCodec } from '../../contract/error-bodies.js';
import { type AnyOperation, operations } from '../../contract/operations.js';
import type { Caller } from '../../records/account-records.js';
import type { PresentedCredentials, Storage, StorageError, Unauthorized } from '../../storage/port.js';
import { readCredentials } from './credentials.js';
import {
  type Failure,
  failureResponse,
  type JsonResponse,
  logFailure,
  type StatusOf,
  statuses,
  type Unexpected,
} from './failures.js';
import type { ApiDependencies, ApiError, Handler, InvalidParameters } from './handler.js';
import { handlers } from './handlers.js';
import { type DecodedInput, inputDecoder, maxReportedNameLength, maxReportedNames } from './parameters.js';
import type { Rendered } from './rendered.js';
import { type ApiRequest, noteTenant, noteWarning, requestLog, warningHeader } from './request.js';
import { masked } from './target.js';

/** The codec of the error body for each status that failures `F` lead to. */
type ErrorResponses<F extends Failure> = Readonly<Record<StatusOf<F>, ErrorBodyCodec>>;

/** How every operation can fail, whatever its handler does. */
type CommonFailure = StorageError | Unauthorized | InvalidParameters | Unexpected;

type EndpointDependencies = Readonly<{
  storage: Pick<Storage, 'caller'>;
  clock: Clock;
  log: Log;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
}>;

/** An operation with the function that turns a request into a response. */
export type Endpoint = Readonly<{
  operation: AnyOperation;
  /**
   * `params`: the values of the parameters in the path; `querystring`: what stands for the query instead of
   * that of the request.
   */
  respondTo: (
    request: ApiRequest,
    params: Readonly<Record<string, string>>,
    querystring?: string,
  ) => Promise<JsonResponse>;
}>;

/**
 * Implements an operation. It does not compile unless the handler renders the operation's 200 codec and the
 * operation lists a body for the status of each failure of the handler.
 */
const endpoint = <Op extends AnyOperation, F extends ApiError>(
  { storage, clock, log, strict }: EndpointDependencies,
  operation: Op & Readonly<{ responses: ErrorResponses<F | CommonFailure> }>,
  handler: Handler<Op, F>,
): Endpoint => {
  const { accepts } = operation;
  const now = timestampClock(clock);
  const decode = inputDecoder<Op>(operation, strict);
  const errorBodies: ErrorResponses<F | CommonFailure> = operation.responses;

  const failed = (request: ApiRequest, failure: F | CommonFailure): JsonResponse => {
    logFailure(requestLog(log, request), operation.id, failure);
    return failureResponse(failure, errorBody(errorBodies, failure), accepts);
  };

  /** Without valid credentials, the answer is 401: it does not reveal which parameters are valid. */
  const refused = async (
    credentials: PresentedCredentials,
    failure: InvalidParameters,
  ): Promise<E.Either<F | CommonFailure, never>> => {
    const caller = await storage.caller(credentials)();
    if (E.isLeft(caller)) return caller;
    credentials.onCaller?.(caller.right);
    return E.left(failure);
  };

  const answer = (
    request: ApiRequest,
    input: DecodedInput<Op>['input'],
  ): Answer<F | CommonFailure, Op> | Promise<Answer<F | CommonFailure, Op>> => {
    const hashed = hashCredentials(readCredentials(request.req.headers, accepts), now());
    if (E.isLeft(hashed)) return hashed;
    const { session, apiToken, at } = hashed.right;
    const onCaller = (caller: Caller): void => noteTenant(request, caller);
    const credentials: PresentedCredentials = { session, apiToken, at, onCaller };
    if (E.isLeft(input)) return refused(credentials, input.left);
    const { path, query } = input.right;
    return handler({ credentials, path, query })();
  };

  const respondTo: Endpoint['respondTo'] = async (request, params, querystring = request.querystring) => {
    const { input, ignored } = decode(params, querystring);
    let response: JsonResponse;
    try {
      const answered = await answer(request, input);
      response = E.isLeft(answered) ? failed(request, answered.left) : { status: 200, body: answered.right };
    } catch (cause) {
      response = failed(request, { _tag: 'Unexpected', cause });
    }
    if (ignored.length === 0) return response;
    const warning = ignoredWarning(ignored);
    noteWarning(request, masked(warning));
    requestLog(log, request)('warn', masked(warning), { operation: operation.id });
    const earlier = request.state.lostSession;
    const both = earlier === undefined ? warning : `${earlier}; ${warning}`;
    return { ...response, headers: { [warningHeader]: both, ...response.headers } };
  };

  return { operation, respondTo };
};

/** What a handler answers: a failure, or a body. */
type Answer<F, Op extends AnyOperation> = E.Either<F, Rendered<Op['responses'][200]>>;

/** The body that an operation lists for the status of a failure. */
const errorBody = <F extends Failure>(bodies: ErrorResponses<F>, failure: F): ErrorBodyCodec => {
  const tag: F['_tag'] = failure._tag;
  const status: StatusOf<F> = statuses[tag];
  return bodies[status];
};

/**
 * The value of `X-Triage-Warning`. The names are percent-encoded, since a header cannot carry every
 * character.
 */
const ignoredWarning = (names: readonly string[]): string => {
  const shown = names.slice(0, maxReportedNames).map((name) => `"${cut(encodeURIComponent(name))}"`);
  const more = names.length > maxReportedNames ? ` and ${names.length - maxReportedNames} more` : '';
  return `ignored unknown query parameters: ${shown.join(', ')}${more}`;
};

const cut = (name: string): string =>
  name.length > maxReportedNameLength ? `${name.slice(0, maxReportedNameLength)}...` : name;

/** Every operation of the contract with its handler (contract, section 4). */
export const endpoints = (dependencies: EndpointDependencies & ApiDependencies): readonly Endpoint[] => {
  const api = handlers(dependencies);
  return [
    endpoint(dependencies, operations.listConnectedRepos, api.listConnectedRepos),
    endpoint(dependencies, operations.listFindings, api.listFindings),
    endpoint(dependencies, operations.getFinding, api.getFinding),
    endpoint(dependencies, operations.listPrs, api.listPrs),
  ];
};
