import { groupBy } from '../../common/sort-and-group.js';
import type { Fix } from './report.js';

/**
 * Orders versions of any ecosystem well enough to sort ranges: numbers as numbers, `1.0-rc1` before `1.0`,
 * `1.0` before `1.0.1`. Letters compare as text.
 */
export const compareVersions = (left: string, right: string): number => {
  const [l, r] = [partsOf(left), partsOf(right)];
  for (let index = 0; index < Math.max(l.length, r.length); index += 1) {
    const difference = compareParts(l[index], r[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

type Part = number | string;

const partsOf = (version: string): readonly Part[] =>
  Array.from(
    version
      .replace(/^v(?=\d)/i, '')
      .replace(/\+.*$/s, '')
      .matchAll(/\d{1,15}|[A-Za-z]+/g),
    ([part]) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()),
  );

/** Words after a release number that do not make it an earlier version. */
const releases = ['final', 'ga', 'release', 'post', 'sp', 'patch', 'r'];

/** A missing part counts as 0, which is after a word such as `rc` and before one such as `release`. */
const compareParts = (left: Part = 0, right: Part = 0): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return typeof left === 'string' ? compareWord(left, right) : -compareWord(String(right), left);
};

const compareWord = (word: string, number: Part): number =>
  releases.includes(word) && number === 0 ? 1 : -1;

/** The range of a finding that has no fix, such as `fixedRange`. */
export const noFixedVersion = 'no fixed version';

/** A part of a range, by its bounds. Null: the range has no such bound. */
type Interval = Readonly<{ from: string | null; before: string | null; through: string | null }>;

/** The alternatives of a range, such as the two of `<2.6.9 || >=3.0.0 <3.1.0`. */
const alternatives = (range: string): readonly string[] =>
  range
    .split('||')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The version after each operator, wherever it stands in an alternative. */
const atLeast = /(?:^|[\s,])>=\s*([\w.+:~-]+)/;
const above = /(?:^|[\s,])>(?!=)\s*([\w.+:~-]+)/;
const below = /(?:^|[\s,])<(?!=)\s*([\w.+:~-]+)/;
const atMost = /(?:^|[\s,])<=\s*([\w.+:~-]+)/;
const exactly = /(?:^|[\s,])=(?!=)\s*([\w.+:~-]+)/;

const captured = (pattern: RegExp, text: string): string | null => pattern.exec(text)?.[1] ?? null;

const intervalOf = (alternative: string): Interval => {
  const from =
    captured(atLeast, alternative) ?? captured(above, alternative) ?? captured(exactly, alternative);
  return {
    from: from === null || /^0(?:\.0)*$/.test(from) ? null : from,
    before: captured(below, alternative),
    through: captured(atMost, alternative),
  };
};

const byStart = (left: Interval, right: Interval): number =>
  left.from === null || right.from === null
    ? Number(left.from !== null) - Number(right.from !== null)
    : compareVersions(left.from, right.from);

/** Without spaces and commas, in which tools differ. */
const keyOf = (alternative: string): string => alternative.replaceAll(/[\s,]+/g, '');

/** How many alternatives a range may have; further ones say no more to anybody. */
const maxAlternatives = 50;

/** One range of several, each alternative once, as the sources have them, the lowest versions first. */
export const unionOfRanges = (ranges: readonly string[]): string =>
  Array.from(groupBy(ranges.flatMap(alternatives), keyOf).values())
    .flatMap(([text]) => (text === undefined ? [] : [{ text, interval: intervalOf(text) }]))
    .sort((l, r) => byStart(l.interval, r.interval))
    .slice(0, maxAlternatives)
    .map(({ text }) => text)
    .join(' || ');

/** The first versions that a range does not contain, by its upper bounds; none if it has no such bounds. */
export const upperBounds = (range: string): readonly string[] =>
  alternatives(range).flatMap((each) => intervalOf(each).before ?? []);

/** The last version that a range contains, if its end is written so, such as `5.28.2` of `<=5.28.2`. */
export const lastVersion = (range: string): string | null =>
  alternatives(range)
    .flatMap((each) => intervalOf(each).through ?? [])
    .toSorted(compareVersions)
    .at(-1) ?? null;

/**
 * The range of the fixed versions: `>= 2.6.9, < 3.0.0 || >= 3.1.0` for these fixed versions of the range
 * `< 2.6.9 || >= 3.0.0, < 3.1.0`. A fixed version that is vulnerable by another alternative is left out.
 */
const rangeOfVersions = (versions: readonly string[], vulnerableRange: string): string => {
  const intervals = alternatives(vulnerableRange).slice(0, maxAlternatives).map(intervalOf);
  const isVulnerable = (version: string): boolean =>
    intervals.some(
      ({ from, before }) =>
        before !== null &&
        compareVersions(version, before) < 0 &&
        (from === null || compareVersions(version, from) >= 0),
    );
  const sorted = Array.from(new Set(versions)).sort(compareVersions).slice(0, maxAlternatives);
  const fixed = sorted.filter((version) => !isVulnerable(version));
  return (fixed.length === 0 ? sorted : fixed)
    .map((version, index, all) => {
      const next = all[index + 1];
      const start = intervals
        .flatMap(({ from }) => from ?? [])
        .filter((from) => compareVersions(from, version) > 0)
        .toSorted(compareVersions)[0];
      const isBounded = start !== undefined && (next === undefined || compareVersions(start, next) < 0);
      return isBounded ? `>= ${version}, < ${start}` : `>= ${version}`;
    })
    .join(' || ');
};

/** The range in which a vulnerability is fixed, of what sources say about it; null if none of them says. */
export const fixedRangeOf = (fixes: readonly Fix[], vulnerableRange: string): string | null => {
  const versions = fixes.flatMap((fix) => (fix.kind === 'versions' ? fix.versions : []));
  if (versions.length > 0) return rangeOfVersions(versions, vulnerableRange);
  const ranges = fixes.flatMap((fix) => (fix.kind === 'range' ? fix.range : []));
  if (ranges.length > 0) return unionOfRanges(ranges);
  return fixes.length > 0 ? noFixedVersion : null;
};

/**
 * The vulnerable range where sources name none: the versions before the fixed one that comes next after the
 * installed version; without a fix, the installed versions. Null if neither is known.
 */
export const vulnerableRangeBefore = (fixes: readonly Fix[], installed: readonly string[]): string | null => {
  const fixed = fixes
    .flatMap((fix) => (fix.kind === 'versions' ? fix.versions : []))
    .toSorted(compareVersions);
  const highest = installed.toSorted(compareVersions).at(-1);
  const next = fixed.find((version) => highest === undefined || compareVersions(version, highest) > 0);
  if (next !== undefined) return `< ${next}`;
  return highest === undefined
    ? null
    : unionOfRanges(Array.from(new Set(installed), (version) => `= ${version}`));
};

/**
 * A fix as tools write it: versions such as `1.5.13, 1.3.15`, or a range such as `>=1.10.2`. `<0.0.0` is how
 * npm writes that there is none.
 */
export const fixFrom = (text: string): Fix => {
  const range = text.trim();
  if (/^<\s*0\.0\.0$/.test(range) || range === '') return { kind: 'none' };
  return /[<>=~^*|]/.test(range)
    ? { kind: 'range', range }
    : { kind: 'versions', versions: range.split(/[\s,]+/).filter((version) => version !== '') };
};
