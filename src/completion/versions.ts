import { type Chance, integerBetween } from './digest.js';

/** The numbers of a version such as 4.17.21; null for anything else. */
const numbersOf = (version: string): readonly number[] | null =>
  /^\d{1,9}(?:\.\d{1,9}){0,5}$/.test(version) ? version.split('.').map(Number) : null;

const compare = (left: readonly number[], right: readonly number[]): number => {
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The version in a range that follows an operator such as `>=`; undefined if there is none. */
const versionAfter = (range: string, operator: '<' | '<=' | '>' | '>='): string | undefined => {
  for (const part of range.slice(0, maxRangeLength).split(',')) {
    const [, found, version] = /^\s*([<>]=?)\s*v?([\w.+-]+)\s*$/.exec(part) ?? [];
    if (found === operator) return version;
  }
  return undefined;
};

/** Longer ranges are not looked into. */
const maxRangeLength = 1_000;

/** The first version of a fixed range; undefined if it is not of the form `>= 1.2.3`. */
export const firstFixed = (fixedRange: string): string | undefined => versionAfter(fixedRange, '>=');

/** The range of the fixed versions that belongs to a range of vulnerable ones, as far as that is clear. */
export const fixedRangeFor = (vulnerableRange: string): string | undefined => {
  const below = versionAfter(vulnerableRange, '<');
  if (below !== undefined) return `>= ${below}`;
  const upTo = versionAfter(vulnerableRange, '<=');
  return upTo === undefined ? undefined : `> ${upTo}`;
};

/** The range of the vulnerable versions that belongs to a range of fixed ones, as far as that is clear. */
export const vulnerableRangeFor = (fixedRange: string): string | undefined => {
  const from = versionAfter(fixedRange, '>=');
  if (from !== undefined) return `< ${from}`;
  const after = versionAfter(fixedRange, '>');
  return after === undefined ? undefined : `<= ${after}`;
};

/** The version to update to: the first one that a fixed range allows. */
export const versionToUpdateTo = (fixedRange: string, vulnerableRange: string): string | undefined => {
  const from = firstFixed(fixedRange) ?? versionAfter(vulnerableRange, '<');
  if (from !== undefined) return from;
  const after = numbersOf(versionAfter(fixedRange, '>') ?? versionAfter(vulnerableRange, '<=') ?? '');
  return after === null ? undefined : [...after.slice(0, -1), (after.at(-1) ?? 0) + 1].join('.');
};

/** A version somewhat before another one, and in the vulnerable range if that can be told. */
export const versionBefore = (fixed: string, vulnerableRange: string, chance: Chance): string => {
  const lowest = versionAfter(vulnerableRange, '>=');
  const numbers = numbersOf(fixed);
  const last = numbers?.findLastIndex((number) => number > 0) ?? -1;
  if (numbers === null || last === -1) return lowest ?? '0.0.1';
  const number = numbers[last] ?? 1;
  const step = integerBetween(1, Math.min(number, 6), chance('versions behind'));
  const earlier = numbers.map((each, i) => (i === last ? number - step : each));
  const bound = numbersOf(lowest ?? '0') ?? [];
  return lowest !== undefined && compare(earlier, bound) < 0 ? lowest : earlier.join('.');
};

/** A made-up version such as 3.4.11. */
export const madeUpVersion = (chance: Chance): string =>
  [
    integerBetween(1, 6, chance('major')),
    integerBetween(0, 18, chance('minor')),
    integerBetween(1, 24, chance('patch')),
  ].join('.');
