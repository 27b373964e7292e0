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
