import test from 'ava';
import fc from 'fast-check';
import { readPreferHeader } from '../../src/simulation/prefer-header.js';

const table: readonly (readonly [header: string, preferences: Readonly<Record<string, string>>])[] = [
  ['', {}],
  ['code=503', { code: '503' }],
  ['Code=503', { code: '503' }],
  ['code = 503', { code: '503' }],
  ['code="503"', { code: '503' }],
  ['code=503, delay=800', { code: '503', delay: '800' }],
  ['code=503,delay=800,,', { code: '503', delay: '800' }],
  ['drop', { drop: '' }],
  ['drop=""', { drop: '' }],
  ['respond-async; wait=10; x="a,b;c", drop', { 'respond-async': '', drop: '' }],
  ['note="a \\"quoted\\" word, code=1", code=500', { note: 'a "quoted" word, code=1', code: '500' }],
  ['code=401, code=500', { code: '401' }],
  ['<string>, code=500', { code: '500' }],
  ['code=, delay=1', { delay: '1' }],
  ['a="unterminated, code=500', {}],
];

for (const [header, preferences] of table) {
  test(`Prefer: ${header}`, (t) => {
    t.deepEqual(Object.fromEntries(readPreferHeader(header)), preferences);
  });
}

test('any header is read without an error, and what is written by the rules is read back', (t) => {
  fc.assert(fc.property(fc.string(), (header) => readPreferHeader(header) instanceof Map));
  const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  fc.assert(
    fc.property(fc.dictionary(token, fc.string({ unit: 'grapheme-ascii' })), (preferences) => {
      const header = Object.entries(preferences)
        .map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`)
        .join(', ');
      t.deepEqual(Array.from(readPreferHeader(header)), Object.entries(preferences));
    }),
  );
});
