import { formatProblem } from '../codecs/problem.js';
import type { Log } from '../common/log.js';
import type { Failure } from './failures.js';

/**
 * Logs what the client is not told: which request failed, where, and why. Failures of the client are not
 * logged.
 */
export const logFailure = (log: Log, request: string, error: Failure): void => {
  switch (error._tag) {
    case 'ContractBroken':
      log('error', 'a response would break the contract', {
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
      log('error', 'the storage failed', { request, cause: stackOf(error.cause) });
      return;
    case 'Unexpected':
      log('error', 'a request failed unexpectedly', { request, cause: stackOf(error.cause) });
      return;
    default:
      return;
  }
};

const stackOf = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);
