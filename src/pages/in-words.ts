/** A time to wait, in words, rounded up: `1 second`, `45 seconds`, `59 minutes`. */
export const inWords = (seconds: number): string => {
  if (seconds < 120) return counted(Math.max(1, Math.ceil(seconds)), 'second', 'seconds');
  return seconds < 7200
    ? counted(Math.ceil(seconds / 60), 'minute', 'minutes')
    : counted(Math.ceil(seconds / 3600), 'hour', 'hours');
};

/** A number with its noun: `1 repository`, `1,234 repositories`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
