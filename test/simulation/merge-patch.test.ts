import test from 'ava';
import { mergePatch } from '../../src/simulation/merge-patch.js';

test('the examples of RFC 7396, appendix A, give what it says', (t) => {
  const examples: readonly (readonly [document: unknown, patch: unknown, expected: unknown])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [document, patch, expected] of examples) t.deepEqual(mergePatch(document, patch), expected);
});

test('no merge patch reaches a prototype', (t) => {
  const merged = mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"x": 1}}'));
  t.is(Reflect.get({}, 'polluted'), undefined);
  t.is(Object.getPrototypeOf(merged), Object.prototype);
});
