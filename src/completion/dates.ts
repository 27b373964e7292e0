import { millisecondsOf, type Timestamp, timestampAt } from '../codecs/timestamp.js';

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** Bounds of a date, in milliseconds. */
export type Span = Readonly<{ from: number; to: number }>;

/** A moment in a span; its beginning if it ends before it begins. */
export const within = ({ from, to }: Span, fraction: number): number =>
  to <= from ? from : from + Math.floor(fraction * (to - from));

/** Some time after a moment, but not after `latest` unless the moment itself is. */
export const soonAfter = (moment: number, { from, to }: Span, latest: number, fraction: number): number =>
  Math.max(moment, Math.min(moment + within({ from, to }, fraction), latest));

export const millisecondsOrNone = (timestamp: Timestamp | null | undefined): readonly number[] =>
  timestamp === undefined || timestamp === null ? [] : [millisecondsOf(timestamp)];

/** The earliest of some moments, with a loop: a list may be too long for the arguments of a function. */
export const earliest = (moments: readonly number[]): number =>
  moments.reduce((least, moment) => Math.min(least, moment), Number.POSITIVE_INFINITY);

export const latest = (moments: readonly number[]): number =>
  moments.reduce((greatest, moment) => Math.max(greatest, moment), Number.NEGATIVE_INFINITY);

/** The given timestamp, or that of a moment. */
export const orAt = (given: Timestamp | undefined, moment: () => number): Timestamp =>
  given ?? timestampAt(moment());
