import test from 'ava';
import fc from 'fast-check';
import {
  canonicalJson,
  isJsonEqual,
  jsonShape,
  maxDepth,
  parseJson,
  whyNoJson,
} from '../../src/common/json.js';
import { runs } from '../_runs.js';
import { anyJsonText } from '../fixtures/_json-text.js';

test('parseJson returns the value of a JSON text', (t) => {
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

/** How many levels a value has. */
const depthOf = (value: unknown): number =>
  Object(value) === value ? 1 + Math.max(0, ...Object.values(Object(value)).map(depthOf)) : 0;

test('the depth of a text is that of its value, whatever its strings have', (t) => {
  fc.assert(
    fc.property(anyJsonText, (text) => {
      const value = JSON.parse(text);
      t.is(jsonShape(JSON.stringify(value)).depth, depthOf(value), text);
      // An object that has a key twice loses the first value, which may be the deepest one.
      t.true(jsonShape(text).depth >= depthOf(value), text);
    }),
    runs(),
  );
});

for (const [what, open, close, levels] of [
  ['lists', '[', ']', 1],
  ['objects', '{"a":', '}', 1],
  ['objects in lists', '[{"]\\"[":', '}]', 2],
] as const) {
  test(`${maxDepth} levels of ${what} have a value, and one level more has none`, (t) => {
    const nested = `${open.repeat(maxDepth / levels)}1${close.repeat(maxDepth / levels)}`;
    t.is(depthOf(parseJson(nested)), maxDepth);
    t.is(parseJson(`[${nested}]`), undefined);
    t.is(whyNoJson(`[${nested}]`), 'nested more than 500 levels deep');
  });
}

test('brackets in strings do not count as levels of JSON', (t) => {
  const text = JSON.stringify({ '["\\': '['.repeat(600), b: `${'{'.repeat(600)}\\` });
  t.deepEqual(parseJson(text), JSON.parse(text));
  t.is(whyNoJson('{'), 'not JSON');
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

test('a comparison of JSON values stops at the first difference', (t) => {
  const unread = {
    get rows(): never {
      throw new Error('a value behind the first difference was read');
    },
  };
  t.false(isJsonEqual([1, {}], [2, unread]));
  t.false(isJsonEqual({ a: { rows: [] } }, { a: [unread] }));
});
