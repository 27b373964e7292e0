import test from 'ava';
import fc from 'fast-check';
import { millisecondsOf, Timestamp, timestampAt } from '../../src/codecs/timestamp.js';
import { assertDecodes, assertRejects } from '../_codecs.js';

const expected = 'expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ), got';

for (const text of [
  '2026-11-20T12:00:00.000Z',
  '2024-02-29T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
]) {
  test(`${text} is a timestamp`, (t) => assertDecodes(t, Timestamp, text));
}

for (const text of [
  '2026-11-20',
  '2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00.00Z',
  '2026-11-20T12:00:00.0000Z',
  '2026-11-20T12:00:00.000',
  '2026-11-20T12:00:00.000+00:00',
  '2026-11-20 12:00:00.000Z',
  '2026-02-31T00:00:00.000Z',
  '2025-02-29T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-11-20T24:00:00.000Z',
  '2026-11-20T12:60:00.000Z',
  '+002026-11-20T12:00:00.000Z',
  '2026-11-20T12:00:00.000Z\n',
  '1',
  '',
]) {
  test(`${JSON.stringify(text)} is not a timestamp`, (t) =>
    assertRejects(t, Timestamp, text, `${expected} ${JSON.stringify(text)}`));
}

test('a number or a Date is not a timestamp', (t) => {
  assertRejects(t, Timestamp, 1, `${expected} 1`);
  assertRejects(t, Timestamp, new Date(0), `${expected} an object`);
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
