/** A part of a list: the index of its first row, and the index after its last one. */
export type RowRange = Readonly<{ start: number; end: number }>;

/** The number of rows in a range, which is a page of the largest size. */
const rangeLength = 100;

/** The number of ranges that are chosen at random, next to the first two and the last two. */
const randomRanges = 6;

/**
 * The rows of a large list that are looked at: the first, the last, and some in between. The same seed and
 * key give the same ranges, whatever the size of the pages in which they are then fetched.
 */
export const sampledRanges = (totalRows: number, seed: number, key: string): readonly RowRange[] => {
  const count = Math.ceil(totalRows / rangeLength);
  const chosen = new Set([0, 1, count - 2, count - 1].filter((index) => index >= 0 && index < count));
  const wanted = Math.min(count, chosen.size + randomRanges);
  const next = randomFractions(hash(`${seed} ${key}`));
  while (chosen.size < wanted) chosen.add(Math.floor(next() * count));
  return Array.from(chosen)
    .sort((left, right) => left - right)
    .map((index) => ({
      start: index * rangeLength,
      end: Math.min(totalRows, (index + 1) * rangeLength),
    }));
};

/** The numbers, from 1, of the pages of a size that together have these rows. */
export const pagesOfRanges = (ranges: readonly RowRange[], limit: number): readonly number[] =>
  Array.from(
    new Set(
      ranges.flatMap(({ start, end }) => {
        const first = Math.floor(start / limit) + 1;
        const last = Math.ceil(end / limit);
        return Array.from({ length: last - first + 1 }, (_, index) => first + index);
      }),
    ),
  );

/** A 32-bit hash of a text (FNV-1a). */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
};

/** Fractions from 0 up to 1 that only look random: the same seed gives the same ones (Mulberry32). */
const randomFractions = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const value = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
};
