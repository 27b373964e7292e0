import test from 'ava';
import fc from 'fast-check';
import { repeatedKeys } from '../../../src/verify/checks/repeated-keys.js';

for (const [json, keys] of [
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', []],
  ['[{"a":1,"b":{"c":1,"c":2},"a":3}]', ['c', 'a']],
  ['{"a":1,"\\u0061":2}', ['a']],
  ['{"a":"\\"a\\":1,{","b":"}"}', []],
  ['{"a" : 1, "a"\n: 2}', ['a']],
] as const) {
  test(`${json} repeats ${keys.join(', ') || 'no key'}`, (t) => {
    t.deepEqual(repeatedKeys(json), keys);
  });
}

test('what JSON.stringify writes repeats no key', (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      t.deepEqual(repeatedKeys(JSON.stringify(value, null, indent)), []);
    }),
  );
});
