const day = 86_400_000;
const week = 7 * day;

/** The first Monday of the epoch: 5 January 1970. */
const firstMonday = 4 * day;

/** Weeks in a row, each from Monday 00:00 UTC, the oldest first: their beginnings in milliseconds. */
export type Weeks = readonly number[];

/** The week of a moment and those before it, `count` in all. */
export const weeksUntil = (now: number, count: number): Weeks => {
  const last = firstMonday + Math.floor((now - firstMonday) / week) * week;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * week);
};

/** The index of the week of a moment; null: it is in none of them. */
export const weekOf = (weeks: Weeks, moment: number): number | null => {
  const index = Math.floor((moment - (weeks[0] ?? 0)) / week);
  return index >= 0 && index < weeks.length ? index : null;
};
