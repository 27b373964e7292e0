import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { parseJson } from '../common/json.js';
import { decode, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import { lenientOperations } from '../contract/lenient.js';
import { type AnyOperation, sessionCookieName } from '../contract/operations.js';
import type { HttpResponse, NoResponse, Send } from './fetch-send.js';
import {
  canStandInPath,
  type OperationInput,
  operationRequest,
  type RequestAuth,
  toHttpRequest,
} from './outgoing-request.js';

/** Lenient, because a client may talk to any server that keeps the contract. */
export type Operations = typeof lenientOperations;

/** The body of a 200, in the types of JSON: a timestamp is plain text. */
export type BodyOf<Op extends AnyOperation> = t.OutputOf<Op['responses'][200]>;

/** A status other than 200 that an operation lists. */
type ErrorStatus<Op extends AnyOperation> = Exclude<StatusOf<keyof Op['responses']>, 200>;

/** The compiler takes some keys of a spread object for text. */
type StatusOf<Key> = Key extends `${infer Status extends number}` ? Status : Key;

/** A failure with a status that the operation lists. Where the contract fixes the body, it is that one. */
export type ErrorResponse<Op extends AnyOperation> = Readonly<{
  _tag: 'ErrorResponse';
  status: ErrorStatus<Op>;
  /** The `error` of the body, or else its `detail` or `title` (RFC 9457); `status 400` if it has none. */
  message: string;
  /** The whole body: the contract shows only those of 401 and 404. */
  body: unknown;
  /** Such as `retry-after`; names in lower case. */
  headers: HttpResponse['headers'];
}>;

/** The operation does not list the status, or its codec refuses the body. */
export type ContractViolation = Readonly<{
  _tag: 'ContractViolation';
  status: number;
  /** At most 100: a large body can have millions. */
  problems: readonly Problem[];
  /** As it came: text if it is not JSON. */
  body: unknown;
  headers: HttpResponse['headers'];
}>;

/** Nothing was sent: a credential or a path parameter cannot be part of a request. */
export type InvalidInput = Readonly<{ _tag: 'InvalidInput'; reason: string }>;

/** Why a call has no result; `SendError`: why its request has no response. */
export type ClientError<Op extends AnyOperation, SendError = NoResponse> =
  | SendError
  | ErrorResponse<Op>
  | ContractViolation
  | InvalidInput;

/** Calls one operation: typed parameters in, the decoded body or a typed error out. */
export type Call<Op extends AnyOperation, SendError = NoResponse> = (
  ...input: Record<never, never> extends OperationInput<Op>
    ? [input?: OperationInput<Op>]
    : [input: OperationInput<Op>]
) => TE.TaskEither<ClientError<Op, SendError>, BodyOf<Op>>;

/** A function for each operation of the contract. */
export type TaskEitherClient<SendError = NoResponse> = {
  readonly [Id in keyof Operations]: Call<Operations[Id], SendError>;
};

/** What a client sends along with each request. */
export type ClientCredentials = Readonly<{
  /** The value of the session cookie. A page in a browser cannot set it: there, the browser sends it. */
  session?: string | undefined;
  /** An API token. */
  token?: string | undefined;
  /** The name of the session cookie, on which the contract is silent. */
  cookieName?: string;
}>;

export type TaskEitherClientOptions<SendError = NoResponse> = ClientCredentials &
  /** Sends the requests; `fetchSend` does so over the network. */
  Readonly<{ send: Send<SendError> }>;

/**
 * A client of the API, derived from the operations of the contract. It sends nothing before a call is run.
 */
export const createTaskEitherClient = <SendError = NoResponse>({
  send,
  session,
  token,
  cookieName = sessionCookieName,
}: TaskEitherClientOptions<SendError>): TaskEitherClient<SendError> => {
  const auth: RequestAuth = {
    session: session === undefined ? null : { name: 'session', value: session },
    bearer: token === undefined ? null : { name: 'token', value: token },
  };
  const call = <Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
  ): TE.TaskEither<ClientError<Op, SendError>, BodyOf<Op>> => {
    const invalid = invalidInput(auth, input);
    if (invalid !== null) return TE.left(invalid);
    const request = toHttpRequest(cookieName, operationRequest(operation, input, auth));
    return pipe(
      send(input.signal === undefined ? request : { ...request, signal: input.signal }),
      TE.mapLeft((error): ClientError<Op, SendError> => error),
      TE.flatMapEither((response) => pipe(resultOf(operation, response), E.mapLeft(withFewProblems))),
    );
  };
  return {
    listConnectedRepos: (input = {}) => call(lenientOperations.listConnectedRepos, input),
    listFindings: (input = {}) => call(lenientOperations.listFindings, input),
    getFinding: (input) => call(lenientOperations.getFinding, input),
    listPrs: (input = {}) => call(lenientOperations.listPrs, input),
  };
};

/** The characters that both headers carry unquoted (RFC 6265, section 4.1.1). */
const headerCharacters = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

const invalidInput = ({ session, bearer }: RequestAuth, input: object): InvalidInput | null => {
  const invalid = (reason: string): InvalidInput => ({ _tag: 'InvalidInput', reason });
  const secret = [session, bearer].find((each) => each !== null && !headerCharacters.test(each.value));
  if (secret) return invalid(`${secret.name}: it has characters that a header cannot carry`);
  const path: unknown = 'path' in input ? input.path : {};
  const wrong = Object.entries(Object(path)).find(([, value]) => !canStandInPath(String(value)));
  return wrong === undefined ? null : invalid(`${wrong[0]}: "${wrong[1]}" cannot be part of a path`);
};

const withFewProblems = <Error extends { _tag: 'ErrorResponse' } | ContractViolation>(error: Error): Error =>
  error._tag === 'ContractViolation' ? { ...error, problems: error.problems.slice(0, 100) } : error;

/**
 * The result of a call, with every problem: what the codec that the operation lists for the status makes of
 * the body.
 */
export const resultOf = <Op extends AnyOperation>(
  operation: Op,
  { status, headers, text }: HttpResponse,
): E.Either<ErrorResponse<Op> | ContractViolation, BodyOf<Op>> => {
  const body = parseJson(text);
  const refuse = (problems: readonly Problem[]) =>
    E.left<ContractViolation>({ _tag: 'ContractViolation', status, problems, body: body ?? text, headers });
  const codec: t.Mixed | undefined = operation.responses[status];
  if (codec === undefined) {
    const listed = Object.keys(operation.responses).join(', ');
    return refuse([mismatch([], `one of the statuses ${listed}`, String(status))]);
  }
  if (body === undefined) return refuse([problem([], 'the body is not JSON')]);
  const decoded = decode<BodyOf<Op>>(codec, body);
  if (E.isLeft(decoded)) return refuse(decoded.left);
  return isError<Op>(status)
    ? E.left({ _tag: 'ErrorResponse', status, message: messageIn(body, status), body, headers })
    : decoded;
};

/** The text in an error body that is for people. */
const messageIn = (body: unknown, status: number): string => {
  const fields: Readonly<Record<string, unknown>> = t.UnknownRecord.is(body) ? body : {};
  const texts = [fields.error, fields.detail, fields.title].filter((text) => typeof text === 'string');
  return texts[0] ?? `status ${status}`;
};

/** Whether a status that the operation lists is an error. */
const isError = <Op extends AnyOperation>(status: number): status is ErrorStatus<Op> & number =>
  status !== 200;
