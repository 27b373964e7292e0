import test from 'ava';
import { groupBy } from '../../src/common/sort-and-group.js';

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
