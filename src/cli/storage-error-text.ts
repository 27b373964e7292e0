import type { StorageError } from '../storage/port.js';
import { printable } from '../vocabulary/printable.js';
import { formatProblem } from '../vocabulary/problem.js';

/** What is wrong with a storage, in a line. */
export const storageErrorText = (error: StorageError): string =>
  printable(
    error._tag === 'RecordBroken'
      ? `${error.where}: ${error.problems.map(formatProblem).join('; ')}`
      : error.cause instanceof Error
        ? error.cause.message
        : String(error.cause),
  );
