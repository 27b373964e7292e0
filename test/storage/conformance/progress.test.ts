import test from 'ava';
import {
  type ConformanceProgress,
  formatProgress,
  withProgress,
} from '../../../src/storage/conformance/progress.js';

test('each case reports when it begins and how it ends, and fails as before', async (t) => {
  const seen: ConformanceProgress[] = [];
  let time = 0;
  const failure = new Error('wrong');
  const cases = withProgress(
    [
      { name: 'good', run: async () => {} },
      { name: 'bad', run: () => Promise.reject(failure) },
    ],
    (progress) => seen.push(progress),
    () => (time += 250),
  );
  t.deepEqual(
    cases.map(({ name }) => name),
    ['good', 'bad'],
  );
  await cases[0]?.run();
  t.is(await t.throwsAsync(async () => cases[1]?.run()), failure);
  t.deepEqual(seen.map(formatProgress), [
    'running 1 of 2: good',
    'passed 1 of 2 in 0.5 s, 1 left: good',
    'running 2 of 2: bad',
    'failed 2 of 2 in 0.5 s, 0 left: bad',
  ]);
});
