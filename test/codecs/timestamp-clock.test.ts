import test from 'ava';
import { timestampAt } from '../../src/codecs/timestamp.js';
import { timestampClock } from '../../src/codecs/timestamp-clock.js';

test('the time of a clock is told as a timestamp, whether it goes on, stands still or goes back', (t) => {
  const moments = [0, 0.9, 1, 1, 1.5, 2e12, 2e12 - 1, 5];
  let next = 0;
  const now = timestampClock(() => moments[next] ?? 0);
  for (const moment of moments) {
    t.is(now(), timestampAt(moment));
    next += 1;
  }
});

test('a clock that has no time is an error, as elsewhere', (t) => {
  t.throws(
    timestampClock(() => Number.NaN),
    { instanceOf: RangeError },
  );
});
