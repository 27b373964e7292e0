import test from 'ava';
import { parseJson } from '../../src/common/json.js';

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
