import { type Timestamp, timestampAt } from './timestamp.js';

/**
 * Moves timestamps by a number of milliseconds: the same as
 * `timestampAt(millisecondsOf(timestamp) + milliseconds)`, in a fraction of the time, because neither `Date`
 * nor a regular expression is needed. Throws for NaN.
 */
export const timestampShift = (milliseconds: number): ((timestamp: Timestamp) => Timestamp) => {
  if (Number.isNaN(milliseconds)) throw new RangeError('a time is not a number');
  return (timestamp) => {
    const moment = Math.trunc(momentOf(timestamp) + milliseconds);
    return timestampOf(Math.min(Math.max(moment, earliest), latest));
  };
};

const day = 24 * 60 * 60 * 1000;

/** Days from 1 March of the year 0 to 1 January 1970. Years that begin in March end with the leap day. */
const daysBefore1970 = 719_468;

/** The number at some digits of a text. */
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
const threeDigits = (text: string, at: number): number =>
  twoDigits(text, at) * 10 + text.charCodeAt(at + 2) - 48;

/** Milliseconds since the epoch: the same as `millisecondsOf`, in a fraction of the time. */
export const momentOf = (timestamp: Timestamp): number => {
  const month = twoDigits(timestamp, 5);
  const year = twoDigits(timestamp, 0) * 100 + twoDigits(timestamp, 2) - (month <= 2 ? 1 : 0);
  const monthFromMarch = (month + 9) % 12;
  const days =
    daysBeforeYear(year) + daysBeforeMonth(monthFromMarch) + twoDigits(timestamp, 8) - 1 - daysBefore1970;
  const minutes = twoDigits(timestamp, 11) * 60 + twoDigits(timestamp, 14);
  return days * day + (minutes * 60 + twoDigits(timestamp, 17)) * 1000 + threeDigits(timestamp, 20);
};

const daysBeforeYear = (year: number): number =>
  365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);

/** Counted from March, five months have 153 days. */
const daysBeforeMonth = (monthFromMarch: number): number => Math.floor((153 * monthFromMarch + 2) / 5);

/** The year, from March to February, that a day counted from 1 March of the year 0 is in. */
const yearOfDay = (days: number): number => {
  const guess = Math.floor(days / 365.2425);
  if (daysBeforeYear(guess) > days) return guess - 1;
  return daysBeforeYear(guess + 1) <= days ? guess + 1 : guess;
};

const timestampOf = (moment: number): Timestamp => {
  const days = Math.floor(moment / day);
  const fromMarch = days + daysBefore1970;
  const year = yearOfDay(fromMarch);
  const dayOfYear = fromMarch - daysBeforeYear(year);
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const text = format(
    month <= 2 ? year + 1 : year,
    month,
    dayOfYear - daysBeforeMonth(monthFromMarch) + 1,
    moment - days * day,
  );
  return isTimestamp(text) ? text : timestampAt(moment);
};

/** The character of the last digit of a number that is not negative. */
const digit = (number: number): number => 48 + (Math.floor(number) % 10);

const [dash, colon, point, capitalT, capitalZ] = [0x2d, 0x3a, 0x2e, 0x54, 0x5a];

/** One call with all characters: joining parts would leave a text in pieces, which takes more memory. */
const format = (year: number, month: number, dayOfMonth: number, time: number): string => {
  const seconds = Math.floor(time / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return String.fromCharCode(
    digit(year / 1000),
    digit(year / 100),
    digit(year / 10),
    digit(year),
    dash,
    digit(month / 10),
    digit(month),
    dash,
    digit(dayOfMonth / 10),
    digit(dayOfMonth),
    capitalT,
    digit(hours / 10),
    digit(hours),
    colon,
    digit((minutes % 60) / 10),
    digit(minutes % 60),
    colon,
    digit((seconds % 60) / 10),
    digit(seconds % 60),
    point,
    digit((time % 1000) / 100),
    digit((time % 1000) / 10),
    digit(time % 1000),
    capitalZ,
  );
};

/**
 * Whether the text has the length of a timestamp. What `format` makes of a moment in range needs no other
 * check: a test compares it with `timestampAt`.
 */
const isTimestamp = (text: string): text is Timestamp => text.length === 24;

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');
