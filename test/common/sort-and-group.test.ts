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

test('an emoji sorts after U+FFFD, unlike by UTF-16 unit', (t) => {
  t.true(compareCodePoints('😀', '\ufffd') > 0);
  t.true('😀' < '\ufffd');
});

test('a prefix sorts before the longer text, and upper case before lower case', (t) => {
  t.deepEqual(['b', 'ab', 'a', 'B', ''].sort(compareCodePoints), ['', 'B', 'a', 'ab', 'b']);
});

test('rows are grouped by key, keys and rows in the order given', (t) => {
  const groups = groupBy(['pear', 'apple', 'plum', 'avocado'], (word) => word[0]);
  t.deepEqual(Array.from(groups), [
    ['p', ['pear', 'plum']],
    ['a', ['apple', 'avocado']],
  ]);
});

test('no rows make no groups', (t) => {
  t.is(groupBy([], String).size, 0);
});
