import test from 'ava';
import { compareValues } from '../../src/diff/compare-values.js';

test('values that differ are reported with their path', (t) => {
  t.deepEqual(compareValues([{ a: 1 }], [{ a: 2 }]), [{ where: '/0/a', left: '1', right: '2' }]);
});

test('of arrays of different length only the lengths are reported', (t) => {
  t.deepEqual(compareValues([1], [1, 2]), [{ where: '', left: '1 item', right: '2 items' }]);
});

test('the first five differences are reported', (t) => {
  t.is(compareValues(Array(20).fill(1), Array(20).fill(2)).length, 5);
});
