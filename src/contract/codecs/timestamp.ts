import type * as t from 'io-ts';
import { branded } from './string-codec.js';

export interface TimestampBrand {
  readonly Timestamp: unique symbol;
}

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number of days of a month, 1 to 12; 0 for a month that does not exist. */
const daysOf = (year: number, month: number): number => {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
};

/** The number that the two digits at an index form. */
const twoDigits = (text: string, index: number): number =>
  10 * text.charCodeAt(index) + text.charCodeAt(index + 1) - 11 * 48;

/**
 * Whether the day and the time exist, for text of the right shape. `Date` would read 31 February as 3 March,
 * and takes 14 times as long.
 */
const isRealMoment = (text: string): boolean => {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const day = twoDigits(text, 8);
  return (
    day >= 1 &&
    day <= daysOf(year, twoDigits(text, 5)) &&
    twoDigits(text, 11) < 24 &&
    twoDigits(text, 14) < 60 &&
    twoDigits(text, 17) < 60
  );
};

/**
 * A timestamp of the contract (section 2): ISO 8601 in UTC with exactly three decimals, such as
 * `2026-11-20T12:00:00.000Z`. Timestamps sort as text.
 */
export const Timestamp = branded<TimestampBrand>(
  'timestamp (YYYY-MM-DDTHH:mm:ss.sssZ)',
  { pattern: shape, format: 'date-time' },
  isRealMoment,
);
export type Timestamp = t.Branded<string, TimestampBrand>;

const earliest = /* @__PURE__ */ Date.parse('0000-01-01T00:00:00.000Z');
const latest = /* @__PURE__ */ Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The timestamp of a moment in milliseconds since the epoch; throws for NaN. Moments outside the years 0000
 * to 9999 are clamped, because a shifted "never expires" date can exceed four digits.
 */
export const timestampAt = (milliseconds: number): Timestamp => {
  const text = new Date(Math.min(Math.max(Math.trunc(milliseconds), earliest), latest)).toISOString();
  if (!Timestamp.is(text)) throw new RangeError(`${milliseconds} is not a valid time`);
  return text;
};

/** Milliseconds since the epoch. */
export const millisecondsOf = (timestamp: Timestamp): number => Date.parse(timestamp);
