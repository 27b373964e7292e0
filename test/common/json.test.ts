import test from 'ava';
import fc from 'fast-check';
import { canonicalJson, isJsonEqual, parseJson } from '../../src/common/json.js';

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

test('two values are equal if and only if their canonical JSON is', (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (left, right) => {
      t.true(isJsonEqual(left, parseJson(canonicalJson(left))));
      t.is(isJsonEqual(left, right), canonicalJson(left) === canonicalJson(right));
      t.is(isJsonEqual([left], [right]), isJsonEqual({ a: left }, { a: right }));
    }),
  );
  for (const [left, right] of [
    [[], {}],
    [['a'], { 0: 'a' }],
    [{ a: null }, {}],
    [{ a: 1 }, { b: 1 }],
    [null, {}],
    [1, '1'],
    [JSON.parse('{"__proto__":1}'), {}],
  ])
    t.false(isJsonEqual(left, right), JSON.stringify([left, right]));
});

test('a comparison stops at the first difference', (t) => {
  const unread = {
    get rows(): never {
      throw new Error('a value behind the first difference was read');
    },
  };
  t.false(isJsonEqual([1, {}], [2, unread]));
  t.false(isJsonEqual({ a: { rows: [] } }, { a: [unread] }));
});
