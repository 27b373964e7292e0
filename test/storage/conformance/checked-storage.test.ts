import { mock } from 'node:test';
import test from 'ava';
import { checkedStorage } from '../../../src/storage/conformance/conformance-case.js';
import { aStorage } from '../../_storage.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an operation that has not settled once is waited for a fiftieth of the time from then on', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const storage = checkedStorage(
    { ...aStorage([]), ready: () => () => new Promise(() => {}) },
    { timeLimit: 5000, stalled: new Set(), onFault: () => {} },
  );
  for (const wait of [5000, 100]) {
    let isWaiting = true;
    const failure = t.throwsAsync(storage.ready()()).finally(() => {
      isWaiting = false;
    });
    mock.timers.tick(wait - 1);
    await turn();
    t.true(isWaiting);
    mock.timers.tick(1);
    await turn();
    t.false(isWaiting);
    t.is((await failure)?.message, 'the operation `ready` of the storage did not settle within 5 s');
  }
});
