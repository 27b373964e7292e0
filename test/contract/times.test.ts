import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import {
  Duration,
  millisecondsOf,
  Timestamp,
  timestampAt,
  timestampShift,
  UtcTime,
} from '../../src/contract/codecs/timestamp.js';
import { assertDecodes, assertRejects } from '../_codecs.js';
import { runs } from '../_runs.js';

const expected = 'expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ), got';

test('a timestamp is in UTC, with milliseconds, of a year with four digits', (t) => {
  const first = '0000-01-01T00:00:00.000Z';
  for (const text of [first, '2024-02-29T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])
    assertDecodes(t, Timestamp, text);
  const others =
    '2026-11-20 2026-11-20T12:00:00Z 2026-11-20T12:00:00.00Z 2026-11-20T12:00:00.0000Z 2026-11-20T12:00:00.000 ' +
    '2026-11-20T12:00:00.000+00:00 +002026-11-20T12:00:00.000Z 1';
  for (const text of ['', '2026-11-20 12:00:00.000Z', '2026-11-20T12:00:00.000Z\n', ...others.split(' ')])
    assertRejects(t, Timestamp, text, `${expected} ${JSON.stringify(text)}`);
});

for (const [what, ...texts] of [
  ['day', '2026-02-31T00:00:00.000Z', '2025-02-29T00:00:00.000Z', '2026-13-01T00:00:00.000Z'],
  ['time of day', '2026-11-20T24:00:00.000Z', '2026-11-20T12:60:00.000Z', '2026-12-31T23:59:60.000Z'],
] as const) {
  test(`the problem of a ${what} that does not exist says so`, (t) => {
    for (const text of texts) {
      assertRejects(t, Timestamp, text, `expected a ${what} that exists, got "${text}"`);
      const short = text.replace('.000', '');
      assertRejects(t, UtcTime, short, `expected a ${what} that exists, got "${short}"`);
    }
  });
}

test('a number or a Date is not a timestamp', (t) => {
  assertRejects(t, Timestamp, 1, `${expected} 1`);
  assertRejects(t, Timestamp, new Date(0), `${expected} a Date`);
});

test('every moment of the years 0000 to 9999 round-trips through its timestamp', (t) => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        t.is(millisecondsOf(timestampAt(date.getTime())), date.getTime());
      },
    ),
  );
});

test('a moment outside these years is clamped', (t) => {
  t.is<string, string>(timestampAt(Number.MAX_SAFE_INTEGER), '9999-12-31T23:59:59.999Z');
  t.is<string, string>(timestampAt(-Number.MAX_SAFE_INTEGER), '0000-01-01T00:00:00.000Z');
  t.throws(() => timestampAt(Number.NaN), { instanceOf: RangeError });
});

/** The definition: text of this shape that `Date` reads and writes unchanged. */
const isTimestamp = (text: string): boolean => {
  const moment = new Date(text);
  return (
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) &&
    !Number.isNaN(moment.getTime()) &&
    moment.toISOString() === text
  );
};

test('a timestamp is valid exactly if Date reads and writes it unchanged', (t) => {
  const digits = (length: number, max: number) =>
    fc.integer({ min: 0, max }).map((n) => String(n).padStart(length, '0'));
  fc.assert(
    fc.property(
      fc.oneof(digits(4, 9999), fc.constantFrom('0000', '1900', '2000', '2023', '2024', '2100')),
      fc.oneof(digits(2, 14), digits(2, 99)),
      fc.oneof(digits(2, 33), digits(2, 99)),
      digits(2, 26),
      digits(2, 62),
      digits(2, 62),
      digits(3, 999),
      (year, month, day, hour, minute, second, fraction) => {
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
        t.is(Timestamp.is(text), isTimestamp(text), text);
      },
    ),
    runs(),
  );
});

test('every day of every month agrees with Date, in leap years and others', (t) => {
  for (const year of ['0000', '0004', '1900', '2000', '2023', '2024', '9999']) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const date = [month, day].map((n) => String(n).padStart(2, '0')).join('-');
        const text = `${year}-${date}T23:59:59.999Z`;
        t.is(Timestamp.is(text), isTimestamp(text), text);
      }
    }
  }
});

test('a shift moves a timestamp across leap days, up to the first and the last timestamp', (t) => {
  const day = 24 * 60 * 60 * 1000;
  for (const [from, days, to] of [
    ['2024-02-28T12:34:56.789Z', 1, '2024-02-29T12:34:56.789Z'],
    ['2023-02-28T12:34:56.789Z', 1, '2023-03-01T12:34:56.789Z'],
    ['2000-03-01T00:00:00.000Z', -1, '2000-02-29T00:00:00.000Z'],
    ['1900-03-01T00:00:00.000Z', -1, '1900-02-28T00:00:00.000Z'],
    ['0000-01-01T00:00:00.000Z', 60, '0000-03-01T00:00:00.000Z'],
    ['9999-12-30T00:00:00.000Z', 2, '9999-12-31T23:59:59.999Z'],
    ['0000-01-02T00:00:00.000Z', -2, '0000-01-01T00:00:00.000Z'],
    ['2026-11-20T12:00:00.000Z', Number.POSITIVE_INFINITY, '9999-12-31T23:59:59.999Z'],
  ] as const) {
    t.is<string, string>(timestampShift(days * day)(timestampAt(Date.parse(from))), to);
  }
  t.throws(() => timestampShift(Number.NaN)(timestampAt(0)), { instanceOf: RangeError });
});

test('a moment in UTC decodes to a timestamp, with or without milliseconds', (t) => {
  assertDecodes(t, UtcTime, '2026-11-20T12:00:00.123Z');
  const timestamp = '2026-11-20T12:00:00.000Z';
  assertDecodes(t, UtcTime, '2026-11-20T12:00:00Z', timestamp, timestamp);
});

test('a moment that is not in UTC, or in another notation, is refused', (t) => {
  const expected = 'expected a moment in UTC such as 2026-11-20T12:00:00Z, got';
  for (const text of ['2026-11-20', '2026-11-20T12:00Z', '2026-11-20T12:00:00.5Z', '']) {
    assertRejects(t, UtcTime, text, `${expected} "${text}"`);
  }
  assertRejects(t, UtcTime, 7, `${expected} 7`);
});

const durationOf = (text: unknown): number | string =>
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
  for (const [text, milliseconds] of Object.entries(durations)) t.is(durationOf(text), milliseconds, text);
});

test('a duration in another notation, or in years or months, is refused', (t) => {
  for (const text of ['', '2 h', 7, null, ...'+ 2 h P PT P1DT P1M P1Y 1e3s --1s PT-1H'.split(' ')])
    t.is(durationOf(text), 'refused', String(text));
});

test('a duration that was formatted is read as the same time', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -(2 ** 39), max: 2 ** 39 }), (milliseconds) => {
      t.is(durationOf(Duration.encode(milliseconds)), milliseconds);
    }),
  );
});
