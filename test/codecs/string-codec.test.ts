import test from 'ava';
import { branded } from '../../src/codecs/string-codec.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

test('a branded string satisfies its shape; lengths count code points', (t) => {
  const Code = branded('code', { pattern: /^[^ ]+$/, minLength: 2, maxLength: 3 });
  for (const text of ['ab', 'abc', '😀😀', '😀😀😀']) assertDecodes(t, Code, text);
  for (const text of ['a', '😀', 'abcd', '😀😀😀😀', 'a b', '']) {
    assertRejects(t, Code, text, `expected code, got "${text}"`);
  }
  assertRejects(t, Code, 77, 'expected code, got 77');
});

test('a branded string may have to satisfy more than its shape', (t) => {
  const Even = branded('even number', { pattern: /^\d+$/ }, (text) => Number(text) % 2 === 0);
  assertDecodes(t, Even, '42');
  for (const text of ['43', '4x']) assertRejects(t, Even, text, `expected even number, got "${text}"`);
});
