import test from 'ava';
import fc from 'fast-check';
import { compareCodePoints, groupBy } from '../../src/common/sort-and-group.js';
import { runs } from '../_runs.js';

test('text sorts like its UTF-8 bytes', (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      t.is(Math.sign(compareCodePoints(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
    runs(),
  );
});

test('an emoji sorts after U+FFFD, a prefix before the longer text, upper case before lower case', (t) => {
  t.true('😀' < '\ufffd', 'as UTF-16 units');
  const sorted = ['', 'B', 'a', 'ab', 'b', '\ufffd', '😀'];
  t.deepEqual(sorted.toReversed().sort(compareCodePoints), sorted);
});

test('rows are grouped by key, keys and rows in the order given', (t) => {
  const groups = groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word[0]);
  t.deepEqual(Array.from(groups), [
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ]);
  t.is(groupBy([], String).size, 0);
});
