import { formatProblem } from '../codecs/problem.js';
import type { Log } from '../common/log.js';
import type { HttpError } from './http-error.js';

/** Tells the operator what the client is not told: which request failed, and where, for what reason. */
export const logError = (log: Log, request: string, error: HttpError): void => {
  switch (error._tag) {
    case 'ContractBroken':
      log('error', 'an answer would break the contract', {
        request,
        row: error.row,
        problems: error.problems.map(formatProblem),
      });
      return;
    case 'RecordBroken':
      log('error', 'the storage holds a broken record', {
        request,
        where: error.where,
        problems: error.problems.map(formatProblem),
      });
      return;
    case 'StorageUnavailable':
      log('warn', 'the storage cannot be reached', { request, cause: String(error.cause) });
      return;
    case 'StorageFailed':
      log('error', 'the storage refused what it was asked', { request, cause: stackOf(error.cause) });
      return;
    case 'Unexpected':
      log('error', 'a request failed unexpectedly', { request, cause: stackOf(error.cause) });
      return;
    default:
      return;
  }
};

const stackOf = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);
