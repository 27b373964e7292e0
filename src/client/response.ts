import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { parseJson, whyNoJson } from '../common/json.js';
import { decode, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import type { AnyOperation } from '../contract/operations.js';
import type { HttpResponse } from './fetch-send.js';

type Answered = Pick<AnyOperation, 'responses'>;

/** The body of a 200, in the types of JSON: a timestamp is plain text. */
export type BodyOf<Op extends Answered> = t.OutputOf<Op['responses'][200]>;

/** A failure: a status that is no success, with whatever body the contract does not show. */
export type ErrorResponse = Readonly<{
  _tag: 'ErrorResponse';
  status: number;
  /** The `error` of the body, or else its `detail` or `title` (RFC 9457); `status 400` if it has none. */
  message: string;
  /** The whole body: the contract shows only those of 401 and 404. */
  body: unknown;
  /** Such as `retry-after`; names in lower case. */
  headers: HttpResponse['headers'];
}>;

/** A success, or a failure whose body the contract shows, and the codec of the operation refuses the body. */
export type ContractViolation = Readonly<{
  _tag: 'ContractViolation';
  status: number;
  /** At most 100 in what a client rejects with: a large body can have millions. */
  problems: readonly Problem[];
  /** As it came: text if it is not JSON. */
  body: unknown;
  headers: HttpResponse['headers'];
}>;

/**
 * The result of a call, with every problem: what the codec that the operation lists for the status makes of
 * the body.
 */
export const resultOf = <Op extends Answered>(
  operation: Op,
  { status, headers, text }: HttpResponse,
): E.Either<ErrorResponse | ContractViolation, BodyOf<Op>> => {
  const body = parseJson(text);
  const refuse = (problems: readonly Problem[]) =>
    E.left<ContractViolation>({ _tag: 'ContractViolation', status, problems, body: body ?? text, headers });
  const codec: t.Mixed | undefined = operation.responses[status];
  const failed = (): E.Either<ErrorResponse, never> =>
    E.left({
      _tag: 'ErrorResponse',
      status,
      message: messageIn(body, status),
      body: body === undefined ? text : body,
      headers,
    });
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && (codec === undefined || codec === t.unknown)) return failed();
  if (codec === undefined) {
    const statuses = Object.keys(operation.responses).join(', ');
    return refuse([mismatch([], `one of the statuses ${statuses}`, String(status))]);
  }
  if (body === undefined) return refuse([problem([], `the body is ${whyNoJson(text)}`)]);
  const decoded = decode<BodyOf<Op>>(codec, body);
  if (E.isLeft(decoded)) return refuse(decoded.left);
  return isSuccess ? decoded : failed();
};

/** The text in an error body that is for people. */
const messageIn = (body: unknown, status: number): string => {
  const fields: Readonly<Record<string, unknown>> = t.UnknownRecord.is(body) ? body : {};
  const texts = [fields.error, fields.detail, fields.title].filter((text) => typeof text === 'string');
  return texts[0] ?? `status ${status}`;
};
