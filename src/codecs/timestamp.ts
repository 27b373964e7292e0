import type * as t from 'io-ts';
import { branded } from './branded.js';

export interface TimestampBrand {
  readonly Timestamp: unique symbol;
}

const shape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Days that do not exist are refused: 31 February has the right shape, but the date it names reads back as 3 March. */
const namesMoment = (text: string): boolean => {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
};

/**
 * A moment as the contract writes it (section 2): ISO 8601, UTC, exactly three decimals, such as
 * `2026-11-20T12:00:00.000Z`. Sorts as text.
 */
export const Timestamp = branded<TimestampBrand>(
  'timestamp (YYYY-MM-DDTHH:mm:ss.sssZ)',
  { pattern: shape, format: 'date-time' },
  namesMoment,
);
export type Timestamp = t.Branded<string, TimestampBrand>;

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The timestamp of a moment given in milliseconds since the epoch. A moment outside the years 0000 to 9999, which
 * four digits cannot write, becomes the nearest one inside, so that "never expires" stays far away when shifted.
 */
export const timestampAt = (milliseconds: number): Timestamp => {
  const text = new Date(Math.min(Math.max(Math.trunc(milliseconds), earliest), latest)).toISOString();
  if (!Timestamp.is(text)) throw new RangeError(`${milliseconds} is not a moment`);
  return text;
};

/** Milliseconds since the epoch. */
export const millisecondsOf = (timestamp: Timestamp): number => Date.parse(timestamp);
