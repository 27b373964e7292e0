import test from 'ava';
import { deepFreeze, parseJson } from '../../src/common/json.js';

test('JSON text gives its value', (t) => {
  t.deepEqual(parseJson('{"a":[1,null]}'), { a: [1, null] });
});

for (const text of ['', '{', 'undefined', '<p>']) {
  test(`${JSON.stringify(text)} is not JSON and gives undefined`, (t) => {
    t.is(parseJson(text), undefined);
  });
}

test('a byte-order mark at the start is ignored', (t) => {
  t.deepEqual(parseJson('\uFEFF{"a":1}'), { a: 1 });
  t.is(parseJson('\uFEFF\uFEFF{}'), undefined);
});

test('a value is frozen to its depths, and is the same value', (t) => {
  const value = { rows: [{ id: 'a' }], none: null };
  t.is(deepFreeze(value), value);
  for (const part of [value, value.rows, value.rows[0]]) t.true(Object.isFrozen(part));
});
