const second = 1000;

const units = [
  { name: 'year', length: 365 * 24 * 3600 * second },
  { name: 'month', length: 30 * 24 * 3600 * second },
  { name: 'week', length: 7 * 24 * 3600 * second },
  { name: 'day', length: 24 * 3600 * second },
  { name: 'hour', length: 3600 * second },
  { name: 'minute', length: 60 * second },
];

/**
 * The time since a moment, as text: "just now" below a minute (and for a moment in the future, since clocks
 * differ), then whole minutes, hours, days, weeks, months of 30 days, years of 365. Both in milliseconds.
 */
export const relativeTime = (moment: number, now: number): string => {
  const passed = now - moment;
  const unit = units.find(({ length }) => passed >= length);
  if (unit === undefined) return 'just now';
  const count = Math.floor(passed / unit.length);
  return `${count} ${unit.name}${count === 1 ? '' : 's'} ago`;
};

/** Until when `relativeTime` gives the same text for this moment, as long as `now` does not go back. */
export const relativeTimeHoldsUntil = (moment: number, now: number): number => {
  const passed = now - moment;
  const index = units.findIndex(({ length }) => passed >= length);
  const unit = units[index];
  const longer = index === -1 ? units.at(-1) : units[index - 1];
  const nextCount = unit === undefined ? Infinity : (Math.floor(passed / unit.length) + 1) * unit.length;
  return moment + Math.min(nextCount, longer?.length ?? Infinity);
};
