import test from 'ava';
import fc from 'fast-check';
import { readAcceptEncoding as read } from '../../src/koa/compression.js';
import { runs } from '../_runs.js';

for (const [header, encoding, refusesIdentity] of [
  ['', null, false],
  ['br', 'br', false],
  ['gzip', 'gzip', false],
  ['x-gzip', 'gzip', false],
  ['GZIP', 'gzip', false],
  ['gzip, deflate, br, zstd', 'br', false],
  ['gzip;q=1.0, br;q=0.9', 'gzip', false],
  ['gzip ; q=0.5 ,\tbr;q=0.5', 'br', false],
  ['*', 'br', false],
  ['br;q=0, *', 'gzip', false],
  ['gzip;q=0, br;q=0', null, false],
  ['*;q=0', null, true],
  ['*;q=0, gzip', 'gzip', true],
  ['identity', null, false],
  ['identity, gzip', 'gzip', false],
  ['identity;q=0.5, gzip', 'gzip', false],
  ['identity, gzip;q=0.5', null, false],
  ['identity;q=0', null, true],
  ['identity;q=0, gzip', 'gzip', true],
  ['identity;q=0.001, *;q=0', null, false],
  ['deflate', null, false],
  ['br;q=0.000', null, false],
  // What is not well-formed says nothing.
  ['br;q=2', null, false],
  ['br;q=-1', null, false],
  ['br;q=0.1234', null, false],
  ['br;q=', null, false],
  ['br;level=4', null, false],
  ['br gzip', null, false],
  ['"br"', null, false],
  [',,, gzip ,', 'gzip', false],
] as const) {
  test(`Accept-Encoding: ${header}`, (t) => {
    t.deepEqual(read(header), { encoding, refusesIdentity });
  });
}

test('a long Accept-Encoding is read whole: an encoding refused at its end stays refused', (t) => {
  const none = { encoding: null, refusesIdentity: false };
  t.deepEqual(read(`${'x'.repeat(996)}, br;q=0`), none);
  t.deepEqual(read(`${'x'.repeat(1001)}br`), none);
  t.deepEqual(read(`gzip, ${'x'.repeat(1001)}`), { ...none, encoding: 'gzip' });
});

/** Codings with their weights in thousandths. */
const elements = fc.uniqueArray(
  fc.record({
    coding: fc.constantFrom('br', 'gzip', 'identity', '*', 'deflate', 'zstd'),
    weight: fc.integer({ min: 0, max: 1000 }),
  }),
  { selector: ({ coding }) => coding },
);

/** The weight of a coding, as RFC 9110, section 12.5.3, says; null: it is not named. */
const weightOf = (list: readonly { coding: string; weight: number }[], wanted: string): number | null =>
  list.find(({ coding }) => coding === wanted)?.weight ??
  list.find(({ coding }) => coding === '*')?.weight ??
  null;

const expected = (list: readonly { coding: string; weight: number }[]) => {
  const [br, gzip] = [weightOf(list, 'br') ?? 0, weightOf(list, 'gzip') ?? 0];
  const identity = list.find(({ coding }) => coding === 'identity')?.weight ?? null;
  const best = Math.max(br, gzip);
  const isPlain = best === 0 || (identity !== null && identity > best);
  return {
    encoding: isPlain ? null : br >= gzip ? 'br' : 'gzip',
    refusesIdentity: weightOf(list, 'identity') === 0,
  };
};

test('weights choose the encoding that the RFC says, in any order and spelling', (t) => {
  fc.assert(
    fc.property(elements, fc.boolean(), (list, isSpaced) => {
      const header = list
        .map(({ coding, weight }) => {
          const q = (weight / 1000).toFixed(3);
          return isSpaced ? `${coding.toUpperCase()} ; q=${q}` : `${coding};q=${q}`;
        })
        .join(isSpaced ? ' , ' : ',');
      t.deepEqual(read(header), expected(list));
    }),
    runs(),
  );
});

test('any Accept-Encoding can be read, and only an encoding that it names is chosen', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[brgzip*;q=01., ]{0,40}$/)), (header) => {
      const { encoding } = read(header);
      if (encoding !== null) t.regex(header.toLowerCase(), new RegExp(`${encoding}|\\*`));
    }),
    runs(),
  );
  t.deepEqual(read(`${'x,'.repeat(100_000)}br`), { encoding: null, refusesIdentity: false });
});
