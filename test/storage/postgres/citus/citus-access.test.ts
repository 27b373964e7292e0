import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StorageError } from '../../../../src/storage/port.js';
import { citusAccess } from '../../../../src/storage/postgres/citus.js';

const failed: StorageError = { _tag: 'StorageFailed', cause: new Error('the function does not exist') };
const unavailable: StorageError = { _tag: 'StorageUnavailable', cause: new Error('no connection') };
/** What a function that reads says on the coordinator, once it is one. */
const notDelegated: StorageError = {
  _tag: 'StorageUnavailable',
  cause: Object.assign(new Error('the rows of the tenant are not on this node'), { code: '55T01' }),
};

const title = (failure: string): string =>
  `a database that is distributed while a server runs is used as such after ${failure}`;

const usedAfterOne = async (t: ExecutionContext, failure: StorageError): Promise<void> => {
  let isDistributed = false;
  let asked = 0;
  const { byEngine } = citusAccess({
    coordinator: {
      query: () => async () => {
        asked += 1;
        return E.right([{ found: isDistributed }]);
      },
    },
    openWorker: () => {
      throw new Error('no worker is needed');
    },
    elapsed: () => 0,
    log: () => {},
  });
  const failing = (error: StorageError) =>
    byEngine(
      () => TE.left(error),
      () => TE.right('on Citus'),
    );
  t.deepEqual(await failing(unavailable)(), E.left(unavailable));
  isDistributed = true;
  t.deepEqual(await failing(failure)(), E.left(failure));
  t.is(asked, 1, 'the engine is kept until something fails');
  t.deepEqual(await failing(failure)(), E.right('on Citus'));
  t.deepEqual(await failing(failure)(), E.right('on Citus'));
  t.is(asked, 2);
};

test(title('a function was missing'), (t) => usedAfterOne(t, failed));
test(title('a query was not delegated'), (t) => usedAfterOne(t, notDelegated));
