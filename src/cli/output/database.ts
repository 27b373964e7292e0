import { escapeControlCharacters } from '../../common/messages.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import type { StorageError } from '../../storage/port.js';

/** The host and the name of a database, without the user and the password. */
export const databaseName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `${host || 'this machine'}${pathname}`;
};

/** A storage error in one line. */
export const formatStorageError = (error: StorageError): string =>
  escapeControlCharacters(
    error._tag === 'RecordBroken'
      ? `${error.where}: ${error.problems.map(formatProblem).join('; ')}`
      : error.cause instanceof Error
        ? error.cause.message
        : String(error.cause),
  );
