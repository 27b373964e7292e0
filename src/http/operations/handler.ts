import type * as t from 'io-ts';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { Clock } from '../../common/clock.js';
import type { Keep } from '../../common/kept-values.js';
import type { Problem } from '../../contract/codecs/problem.js';
import type { AnyOperation } from '../../contract/operations.js';
import type { PresentedCredentials, Storage, StorageError, Unauthorized } from '../../storage/port.js';
import type { Rendered } from './rendered.js';

/** What the handlers are made of; each takes the part that it needs. `keep` has room for what is rendered. */
export type ApiDependencies = Readonly<{ storage: Storage; clock: Clock; keep: Keep }>;

/** A request to an operation: who sent it, and its decoded parameters. */
export type OperationRequest<Op extends AnyOperation> = Readonly<{
  credentials: PresentedCredentials;
  path: t.TypeOf<Op['pathParameters']>;
  query: t.TypeOf<Op['queryParameters']>;
}>;

/** Answers the requests to one operation with a body that the operation's own 200 codec accepts. */
export type Handler<Op extends AnyOperation, Failure> = (
  request: OperationRequest<Op>,
) => TaskEither<Failure, Rendered<Op['responses'][200]>>;

/** A response that would break the contract; `row` names the row of the storage that it comes from. */
export type ContractBroken = Readonly<{
  _tag: 'ContractBroken';
  row: string;
  problems: readonly Problem[];
}>;

/** Why a read has no answer. */
export type ReadError = StorageError | Unauthorized | ContractBroken;

/** No finding of the caller has this id (contract, section 4.3). */
export type FindingNotFound = Readonly<{ _tag: 'FindingNotFound' }>;

/** Parameters that the operation does not accept; the problems name them. */
export type InvalidParameters = Readonly<{ _tag: 'InvalidParameters'; problems: readonly Problem[] }>;

/** Every way in which an operation can fail. */
export type ApiError = ReadError | FindingNotFound | InvalidParameters;
