import test from 'ava';
import fc from 'fast-check';
import { type AnyOperation, operations } from '../../src/contract/operations.js';
import { preferredEffect, readPreferHeader } from '../../src/simulation/prefer-header.js';

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
    t.deepEqual(Object.fromEntries(readPreferHeader(header).byName), preferences);
  });
}

test('any header is read without an error, and what is written by the rules is read back', (t) => {
  fc.assert(fc.property(fc.string(), (header) => readPreferHeader(header).byName instanceof Map));
  const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
  fc.assert(
    fc.property(fc.dictionary(token, fc.string({ unit: 'grapheme-ascii' })), (preferences) => {
      const header = Object.entries(preferences)
        .map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '\\$&')}"`)
        .join(', ');
      t.deepEqual(Array.from(readPreferHeader(header).byName), Object.entries(preferences));
    }),
  );
});

const { listFindings, getFinding } = operations;
const preferred = (header: string, operation: AnyOperation = listFindings) =>
  preferredEffect(header, operation, 5000);

test('a code, a delay and a kind become one effect', (t) => {
  t.like(preferred('code=503, delay=800, truncate'), {
    effect: { code: 503, delay: 800, kind: 'truncate' },
    ignored: [],
  });
  for (const code of [400, 404, 418, 502, 599])
    t.like(preferred(`code=${code}`), { effect: { code, delay: 0, kind: null }, ignored: [] });
  t.like(preferred('maintenance, delay=5'), { effect: { code: 503, delay: 5, kind: 'maintenance' } });
});

for (const header of [
  '',
  'return=minimal',
  'respond-async, wait=10, handling=strict',
  'code=200',
  'delay=0',
]) {
  test(`nothing is simulated for ${JSON.stringify(header)}, and nothing is wrong with it`, (t) => {
    t.deepEqual(preferred(header), { effect: null, ignored: [] });
  });
}

const wrong: readonly (readonly [header: string, ignored: string])[] = [
  [
    'code=399',
    'preference code=399: expected 200, a status from 400 to 599, or one from 300 with a location',
  ],
  [
    'code=600',
    'preference code=600: expected 200, a status from 400 to 599, or one from 300 with a location',
  ],
  [
    'code=teapot',
    'preference code=teapot: expected 200, a status from 400 to 599, or one from 300 with a location',
  ],
  ['location="/x"', 'preference location: it needs a code such as 302'],
  ['bytesPerSecond=0', 'preference bytesPerSecond=0: expected a number of bytes from 1'],
  ['delay=soon', 'preference delay=soon: expected milliseconds from 0 to 5000'],
  ['delay=5001', 'preference delay=5001: expected milliseconds from 0 to 5000'],
  ['cod=503', 'unknown preference "cod"; did you mean "code"?'],
  ['gatway', 'unknown preference "gatway"; did you mean "gateway"?'],
  [
    'quickly',
    'unknown preference "quickly"; known are code, body, delay, bytesPerSecond, location, state, hang, drop, truncate, cut, malformed, empty, gateway, timeout, forbidden, maintenance',
  ],
  ['code=503 delay=5', 'malformed preference "code=503 delay=5"'],
];

for (const [header, ignored] of wrong) {
  test(`${header} is ignored, and named with what was probably meant`, (t) => {
    t.deepEqual(preferred(header), { effect: null, ignored: [ignored] });
  });
}

test('preferences that contradict each other are ignored, and the others are simulated', (t) => {
  t.like(preferred('drop, truncate'), {
    effect: { kind: 'drop' },
    ignored: ['preference truncate: it cannot be combined with drop'],
  });
  t.like(preferred('gateway, code=500'), {
    effect: { code: 500, kind: null },
    ignored: ['preference gateway: it cannot be combined with a code'],
  });
  t.like(preferred('empty, code=500'), {
    effect: { code: 500, kind: null },
    ignored: ['preference empty: it cannot be combined with a code'],
  });
  t.deepEqual(preferred('empty', getFinding), {
    effect: null,
    ignored: ['preference empty: getFinding is no list'],
  });
});
