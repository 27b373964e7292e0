import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { decode } from '../../contract/codecs/problem.js';
import type { AnyOperation } from '../../contract/operations.js';
import type { Unexpected } from '../operations/failures.js';
import type { ApiError, Handler, OperationRequest } from '../operations/handler.js';
import type { Rendered } from '../operations/rendered.js';

/** Why an operation has no answer. */
export type ReadFailure = ApiError | Unexpected;

/** What an operation has answered: the body, and what its codec has made of it. */
export type Answered<A> = Readonly<{ body: unknown; value: A }>;

/** Sends a request to an operation, without HTTP. */
export const answerOf = async <Op extends AnyOperation>(
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, Rendered<Op['responses'][200]>>> => {
  try {
    return await handler(request)();
  } catch (cause) {
    return E.left({ _tag: 'Unexpected', cause });
  }
};

/** Sends a request to an operation, and parses the body that clients would get. */
export const readBody = async <Op extends AnyOperation>(
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, unknown>> => {
  const answered = await answerOf(handler, request);
  if (E.isLeft(answered)) return answered;
  const body: unknown = JSON.parse(answered.right.json);
  return E.right(body);
};

/** Reads an operation as its clients do: the body is decoded by the codec of the contract. */
export const readOperation = async <Op extends AnyOperation>(
  operation: Op,
  handler: Handler<Op, ApiError>,
  request: OperationRequest<Op>,
): Promise<E.Either<ReadFailure, Answered<t.TypeOf<Op['responses'][200]>>>> => {
  const read = await readBody(handler, request);
  if (E.isLeft(read)) return read;
  const codec: t.Decoder<unknown, t.TypeOf<Op['responses'][200]>> = operation.responses[200];
  const value = decode(codec, read.right);
  return E.isLeft(value)
    ? E.left({ _tag: 'ContractBroken', row: `the answer of ${operation.id}`, problems: value.left })
    : E.right({ body: read.right, value: value.right });
};
