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

const simulated: readonly (readonly [header: string, effect: object | null])[] = [
  ['', null],
  ['return=minimal', null],
  ['respond-async, wait=10, handling=strict', null],
  ['code=200', null],
  ['delay=0', null],
  ['code=503, delay=800, truncate', { code: 503, delay: 800, kind: 'truncate' }],
  ['code=400', { code: 400, delay: 0, kind: null }],
  ['code=599', { code: 599, delay: 0, kind: null }],
  ['maintenance, delay=5', { code: 503, delay: 5, kind: 'maintenance' }],
];

for (const [header, effect] of simulated)
  test(`the preferences ${JSON.stringify(header)} simulate ${JSON.stringify(effect)}, and nothing is wrong`, (t) => {
    const found = preferred(header);
    t.deepEqual(found.ignored, []);
    if (effect === null) t.is(found.effect, null);
    else t.like(found.effect, effect);
  });

const codes = 'expected 200, a status from 400 to 599, or one from 300 with a location';

/** What is ignored, why, and what is simulated nevertheless. */
const wrong: readonly (readonly [header: string, ignored: string, effect?: object])[] = [
  ['code=399', `preference code=399: ${codes}`],
  ['code=600', `preference code=600: ${codes}`],
  ['code=teapot', `preference code=teapot: ${codes}`],
  ['hold', 'preference hold: only a rule can hold a response, until it is removed'],
  ['location="/x"', 'preference location: it needs a code such as 302'],
  ['bytesPerSecond=0', 'preference bytesPerSecond=0: expected a number of bytes from 1'],
  ['delay=soon', 'preference delay=soon: expected milliseconds from 0 to 5000'],
  ['delay=5001', 'preference delay=5001: expected milliseconds from 0 to 5000'],
  ['body=xml', 'preference body=xml: expected html, empty, text'],
  ['cod=503', 'unknown preference "cod"; did you mean "code"?'],
  ['gatway', 'unknown preference "gatway"; did you mean "gateway"?'],
  [
    'quickly',
    'unknown preference "quickly"; known are code, body, delay, bytesPerSecond, location, state, hang, drop, truncate, cut, malformed, empty, gateway, timeout, forbidden, maintenance',
  ],
  ['code=503 delay=5', 'malformed preference "code=503 delay=5"'],
  ['drop, truncate', 'preference truncate: it cannot be combined with drop', { kind: 'drop' }],
  ['gateway, code=500', 'preference gateway: it cannot be combined with a code', { code: 500, kind: null }],
  ['empty, code=500', 'preference empty: it cannot be combined with a code', { code: 500, kind: null }],
  ['body=html, empty', 'preference empty: it cannot be combined with a body', { code: 200, kind: null }],
];

for (const [header, ignored, effect] of wrong)
  test(`of the preferences ${header}, what is wrong is ignored, and named with its reason`, (t) => {
    const found = preferred(header);
    t.deepEqual(found.ignored, [ignored]);
    if (effect === undefined) t.is(found.effect, null);
    else t.like(found.effect, effect);
  });

test('the preference of an empty list is ignored where the answer is no list', (t) => {
  t.deepEqual(preferred('empty', getFinding), {
    effect: null,
    ignored: ['preference empty: getFinding is no list'],
  });
});
