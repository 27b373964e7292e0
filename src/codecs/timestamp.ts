import type * as t from 'io-ts';
import { branded } from './string-codec.js';

export interface TimestampBrand {
  readonly Timestamp: unique symbol;
}

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Refuses days that do not exist: `Date` reads 31 February as 3 March. */
const isRealMoment = (text: string): boolean => {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
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

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

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
