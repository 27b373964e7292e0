import test from 'ava';
import { relativeTime } from '../../src/api/relative-time.js';

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
