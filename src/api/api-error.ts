import type { Problem } from '../codecs/problem.js';
import type { StorageError, Unauthorized } from '../storage/port.js';

/** Why an operation has no answer. */
export type ApiError =
  | StorageError
  | Unauthorized
  /** A parameter that the operation does not take so; the problems name it. */
  | Readonly<{ _tag: 'InvalidParameters'; problems: readonly Problem[] }>
  /** No finding of the caller has this id (contract, section 4.3). */
  | Readonly<{ _tag: 'FindingNotFound' }>
  /** The answer would break the contract; `row` says which row of the storage it comes from. */
  | Readonly<{ _tag: 'ContractBroken'; row: string; problems: readonly Problem[] }>;
