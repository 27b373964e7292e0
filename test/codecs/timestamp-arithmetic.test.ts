import test from 'ava';
import fc from 'fast-check';
import { millisecondsOf, timestampAt } from '../../src/codecs/timestamp.js';
import { momentOf, timestampShift } from '../../src/codecs/timestamp-arithmetic.js';
import { runs } from '../_runs.js';

const timestamp = fc
  .oneof(
    fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
    fc.constantFrom(
      ...['0000-01-01', '0000-02-29', '0000-03-01', '1900-02-28', '2000-02-29', '9999-12-31'].map(
        (day) => new Date(day),
      ),
    ),
  )
  .map((date) => timestampAt(date.getTime()));

const day = 24 * 60 * 60 * 1000;

test('momentOf is millisecondsOf', (t) => {
  fc.assert(
    fc.property(timestamp, (each) => t.is(momentOf(each), millisecondsOf(each))),
    runs(),
  );
});

test('a shift equals the arithmetic with milliseconds, even beyond the first and the last timestamp', (t) => {
  const shift = fc.oneof(
    fc.integer({ min: -2 * day, max: 2 * day }),
    fc.maxSafeInteger(),
    fc.constantFrom(0, day, -day, 366 * day, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  );
  fc.assert(
    fc.property(timestamp, shift, (each, milliseconds) =>
      t.is(timestampShift(milliseconds)(each), timestampAt(millisecondsOf(each) + milliseconds)),
    ),
    runs(),
  );
});

test('every day of four hundred years is found again, and the one after it', (t) => {
  const next = timestampShift(day);
  const first = Date.parse('1800-01-01T12:34:56.789Z');
  for (let i = 0; i < 400 * 366; i += 1) {
    const moment = first + i * day;
    if (next(timestampAt(moment)) !== new Date(moment + day).toISOString()) t.fail(String(moment));
  }
  t.pass();
});

test('a shift by NaN is refused', (t) => {
  t.throws(() => timestampShift(Number.NaN), { instanceOf: RangeError });
});
