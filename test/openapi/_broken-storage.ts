import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { StorageError } from '../../src/api/storage-port.js';
import { mismatch } from '../../src/contract/codecs/problem.js';

const failing =
  (error: StorageError) =>
  (good: Storage): Storage => {
    const fail = async () => E.left(error);
    return { ...good, repos: fail, findings: fail, finding: fail, prs: fail };
  };

/** A storage that knows who asks, and then cannot be reached. */
export const unreachable = failing({ _tag: 'StorageUnavailable', cause: new Error('connect ECONNREFUSED') });

/** A storage that knows who asks, and then finds what no codec takes. */
export const corrupt = failing({
  _tag: 'RecordBroken',
  where: 'row 7',
  problems: [mismatch(['id'], 'text', '7')],
});
