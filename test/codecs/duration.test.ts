import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { Duration } from '../../src/codecs/duration.js';

const of = (text: unknown): number | string =>
  E.match(
    () => 'refused',
    (milliseconds: number): number | string => milliseconds,
  )(Duration.decode(text));

test('durations are read in short and in ISO 8601, with a sign', (t) => {
  const durations: Readonly<Record<string, number>> = {
    '250ms': 250,
    '30s': 30_000,
    '+30s': 30_000,
    '1.5s': 1500,
    '2h': 7_200_000,
    '1h30m': 5_400_000,
    '2d': 172_800_000,
    '1w': 604_800_000,
    '-5m': -300_000,
    PT2H: 7_200_000,
    PT0S: 0,
    'PT0.25S': 250,
    P1DT12H: 129_600_000,
    P2W: 1_209_600_000,
    '-PT5M': -300_000,
  };
  for (const [text, milliseconds] of Object.entries(durations)) t.is(of(text), milliseconds, text);
});

test('anything else is refused: also years and months, which have no fixed length', (t) => {
  for (const text of [
    '',
    '+',
    '2',
    '2 h',
    'h',
    'P',
    'PT',
    'P1DT',
    'P1M',
    'P1Y',
    '1e3s',
    '--1s',
    'PT-1H',
    7,
    null,
  ])
    t.is(of(text), 'refused', String(text));
});

test('what is written is read as the same time', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 39), max: 2 ** 39 }), (milliseconds) => {
      t.is(of(Duration.encode(milliseconds)), milliseconds);
    }),
  );
});
