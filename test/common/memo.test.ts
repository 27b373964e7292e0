import test from 'ava';
import { memo } from '../../src/common/memo.js';

const counting = () => {
  let calls = 0;
  const kept = memo<string>();
  const double = (text: string): string =>
    kept(text, () => {
      calls += 1;
      return `${text}${text}`;
    });
  return { double, calls: () => calls };
};

test('a result is computed once for a key', (t) => {
  const { double, calls } = counting();
  t.deepEqual([double('a'), double('b'), double('a')], ['aa', 'bb', 'aa']);
  t.is(calls(), 2);
});

test('results for long keys are not kept, and others only up to a number', (t) => {
  const { double, calls } = counting();
  const long = 'x'.repeat(201);
  t.is(double(long), double(long));
  t.is(calls(), 2);
  for (let i = 0; i < 1001; i += 1) double(String(i));
  const before = calls();
  t.is(double('1000'), '10001000');
  t.is(calls(), before);
  t.is(double('0'), '00');
  t.is(calls(), before + 1);
});
