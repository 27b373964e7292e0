import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StorageError } from '../../../../src/storage/port.js';
import { citusAccess } from '../../../../src/storage/postgres/citus.js';

const failed: StorageError = { _tag: 'StorageFailed', cause: new Error('the function does not exist') };
const unavailable: StorageError = { _tag: 'StorageUnavailable', cause: new Error('no connection') };

test('a database that is distributed while a server runs is used as such after a failure', async (t) => {
  let isDistributed = false;
  let asked = 0;
  const { choose } = citusAccess({
    coordinator: {
      query: () => async () => {
        asked += 1;
        return E.right(isDistributed ? [{ name: 'citus' }] : []);
      },
    },
    openWorker: () => {
      throw new Error('no worker is needed');
    },
    elapsed: () => 0,
    log: () => {},
  });
  const failing = (error: StorageError) =>
    choose(
      () => TE.left(error),
      () => TE.right('on Citus'),
    );
  t.deepEqual(await failing(unavailable)(), E.left(unavailable));
  isDistributed = true;
  t.deepEqual(await failing(failed)(), E.left(failed));
  t.is(asked, 1, 'the engine is kept until something fails');
  t.deepEqual(await failing(failed)(), E.right('on Citus'));
  t.deepEqual(await failing(failed)(), E.right('on Citus'));
  t.is(asked, 2);
});
