import { formatProblem } from '../codecs/problem.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import type { StorageError } from '../storage/port.js';

/** What is wrong with a storage, in a line. */
export const storageErrorText = (error: StorageError): string =>
  escapeControlCharacters(
    error._tag === 'RecordBroken'
      ? `${error.where}: ${error.problems.map(formatProblem).join('; ')}`
      : error.cause instanceof Error
        ? error.cause.message
        : String(error.cause),
  );
