import test from 'ava';
import fc from 'fast-check';
import { relativeTime, relativeTimeHoldsUntil } from '../../src/api/views.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const table = [
  [-day, 'just now'],
  [0, 'just now'],
  [minute - 1, 'just now'],
  [minute, '1 minute ago'],
  [2 * minute - 1, '1 minute ago'],
  [5 * minute, '5 minutes ago'],
  [hour - 1, '59 minutes ago'],
  [hour, '1 hour ago'],
  [day - 1, '23 hours ago'],
  [day, '1 day ago'],
  [3 * day, '3 days ago'],
  [7 * day - 1, '6 days ago'],
  [7 * day, '1 week ago'],
  [30 * day - 1, '4 weeks ago'],
  [30 * day, '1 month ago'],
  [364 * day, '12 months ago'],
  [365 * day, '1 year ago'],
  [800 * day, '2 years ago'],
] as const;

for (const [passed, words] of table) {
  test(`${passed} ms are "${words}"`, (t) => t.is(relativeTime(1e12, 1e12 + passed), words));
}

test('a relative time holds until the moment that relativeTimeHoldsUntil returns, and no longer', (t) => {
  const passed = fc.oneof(fc.integer({ min: -day, max: 900 * day }), fc.nat(2 * hour));
  fc.assert(
    fc.property(fc.nat(2e12), passed, fc.double({ min: 0, max: 1, noNaN: true }), (moment, elapsed, part) => {
      const now = moment + elapsed;
      const words = relativeTime(moment, now);
      const until = relativeTimeHoldsUntil(moment, now);
      t.true(until > now);
      t.is(relativeTime(moment, until - 1), words);
      t.is(relativeTime(moment, Math.floor(now + (until - 1 - now) * part)), words);
      t.not(relativeTime(moment, until), words);
    }),
  );
});
