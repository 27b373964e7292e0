import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type AnyOperation, operations } from '../../src/contract/operations.js';
import { preferredEffect as effectIn, readPreferHeader } from '../../src/simulation/prefer-header.js';

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

const { listFindings, getFinding } = operations;
const preferredEffect = (header: string, operation: AnyOperation) => effectIn(header, operation, 5000);

test('a code, a delay and a kind become one effect', (t) => {
  t.deepEqual(
    preferredEffect('code=503, delay=800, truncate', listFindings),
    E.right({ code: 503, delay: 800, kind: 'truncate' }),
  );
  t.deepEqual(preferredEffect('code=404', getFinding), E.right({ code: 404, delay: 0, kind: null }));
  t.deepEqual(preferredEffect('code=429', getFinding), E.right({ code: 429, delay: 0, kind: null }));
});

for (const header of ['', 'return=minimal', 'code=200', 'delay=0', '<string>']) {
  test(`nothing is simulated for ${JSON.stringify(header)}`, (t) => {
    t.deepEqual(preferredEffect(header, listFindings), E.right(null));
  });
}

const refused: readonly (readonly [header: string, problem: string])[] = [
  ['code=404', 'Prefer: code=404: listFindings has 200, 400, 401, 429, 500, 503'],
  ['code=418', 'Prefer: code=418: listFindings has 200, 400, 401, 429, 500, 503'],
  ['code=teapot', 'Prefer: code=teapot: listFindings has 200, 400, 401, 429, 500, 503'],
  ['delay=soon', 'Prefer: delay=soon: expected milliseconds from 0 to 5000'],
  ['delay=5001', 'Prefer: delay=5001: expected milliseconds from 0 to 5000'],
  ['drop, truncate', 'Prefer: drop, truncate: choose one of them'],
  ['empty, code=500', 'Prefer: empty: it cannot be combined with a code, because the list would not be sent'],
];

for (const [header, problem] of refused) {
  test(`${header} is refused, with what is possible instead`, (t) => {
    t.deepEqual(preferredEffect(header, listFindings), E.left([problem]));
  });
}

test('only lists can be empty', (t) => {
  t.deepEqual(preferredEffect('empty', getFinding), E.left(['Prefer: empty: getFinding is no list']));
});
