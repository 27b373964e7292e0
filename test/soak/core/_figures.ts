const mebibyte = 2 ** 20;

/** Bytes as people read them. */
export const mebibytes = (bytes: number | null): string =>
  bytes === null ? 'not measured' : `${Math.round(bytes / mebibyte)} MiB`;

export const milliseconds = (value: number): string =>
  value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;

/** The value below which a share of some values lies; 0 of none. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((l, r) => l - r)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The values of one tenth, counted from 0. */
const tenth = (values: readonly number[], index: number): readonly number[] =>
  values.slice(Math.floor((values.length * index) / 10), Math.floor((values.length * (index + 1)) / 10));

/** What memory may grow by, besides a quarter: garbage is collected late where there is much memory. */
const slack = 20 * mebibyte;

/**
 * Why memory counts as growing; null if it is flat: the median of the last tenth is at most a quarter and 20
 * MiB above that of the second tenth, by which time the process has warmed up. Few samples say nothing.
 */
export const growthOf = (samples: readonly number[]): string | null => {
  if (samples.length < 100) return null;
  const [early, late] = [quantile(tenth(samples, 1), 0.5), quantile(tenth(samples, 9), 0.5)];
  if (late <= early * 1.25 + slack) return null;
  return `memory grew from ${mebibytes(early)} to ${mebibytes(late)}`;
};
