import type { Log } from '../../common/log.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import type { Failure } from './failures.js';

/**
 * Logs what the client is not told: which operation failed, where, and why. Failures of the client are not
 * logged. Those of the storage are details: whoever watches the storage logs the begin and the end of an
 * outage.
 */
export const logFailure = (log: Log, operation: string, error: Failure): void => {
  switch (error._tag) {
    case 'ContractBroken':
      log('error', 'a response would break the contract', {
        operation,
        row: error.row,
        problems: error.problems.map(formatProblem),
      });
      return;
    case 'RecordBroken':
      log('error', 'the storage holds a broken record', {
        operation,
        where: error.where,
        problems: error.problems.map(formatProblem),
      });
      return;
    case 'StorageUnavailable':
      log('debug', 'the storage cannot be reached', { operation, cause: String(error.cause) });
      return;
    case 'StorageFailed':
      log('debug', 'the storage failed', { operation, cause: stackOf(error.cause) });
      return;
    case 'Unexpected':
      log('error', 'a request failed unexpectedly', { operation, cause: stackOf(error.cause) });
      return;
    default:
      return;
  }
};

const stackOf = (cause: unknown): string => (cause instanceof Error && cause.stack) || String(cause);
