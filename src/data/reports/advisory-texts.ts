import { groupBy } from '../../common/sort-and-group.js';
import { Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Severity } from '../../contract/enums.js';
import type { Fix } from './report.js';

/** The weights of the metrics of CVSS 3.0 and 3.1 (specification, section 7.4). */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** The privileges required weigh more if the scope changes. */
const privileges: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
};

/** Rounds up to one decimal, without the errors of floating point numbers (CVSS 3.1, appendix A). */
const roundUp = (value: number): number => {
  const scaled = Math.round(value * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
};

/** The base score of a vector of CVSS 3.0 or 3.1; null for any other text. */
export const cvss3Score = (vector: string): number | null => {
  if (!/^CVSS:3\.[01]\/[A-Z/:]{1,300}$/.test(vector)) return null;
  const metrics = new Map(
    vector.split('/').map((part) => [part.split(':')[0] ?? '', part.split(':')[1] ?? '']),
  );
  const weight = (metric: string): number => weights[metric]?.[metrics.get(metric) ?? ''] ?? Number.NaN;
  const scope = metrics.get('S') ?? '';
  const privilege = privileges[scope]?.[metrics.get('PR') ?? ''] ?? Number.NaN;
  const impactBase = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact =
    scope === 'C' ? 7.52 * (impactBase - 0.029) - 3.25 * (impactBase - 0.02) ** 15 : 6.42 * impactBase;
  const exploitability = 8.22 * weight('AV') * weight('AC') * privilege * weight('UI');
  const sum = scope === 'C' ? 1.08 * (impact + exploitability) : impact + exploitability;
  if (Number.isNaN(sum)) return null;
  return impact <= 0 ? 0 : roundUp(Math.min(sum, 10));
};

/** A severity of the contract, and whether the source said something else that has no place there. */
type MappedSeverity = Readonly<{ severity: Severity; isApproximate: boolean }>;

const exact: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  high: 'high',
  important: 'high',
  error: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  minor: 'low',
  note: 'low',
};

/** The severity of a CVSS base score, by the rating scale of CVSS 3 and 4, which calls a score of 0 none. */
const ofScore = (score: number): MappedSeverity => {
  if (score >= 9) return { severity: 'critical', isApproximate: false };
  if (score >= 7) return { severity: 'high', isApproximate: false };
  if (score >= 4) return { severity: 'medium', isApproximate: false };
  return { severity: 'low', isApproximate: score === 0 };
};

/**
 * The severity that a source names as a word, as a CVSS score or as a CVSS 3 vector. Words without a place in
 * the contract, such as `info`, `negligible` and `unknown`, count as low, and are approximate. Null for a
 * vector of another version of CVSS, from which no score is derived.
 */
export const severityFrom = (text: string): MappedSeverity | null => {
  const word = text.trim().toLowerCase();
  const known = Object.hasOwn(exact, word) ? exact[word] : undefined;
  if (known !== undefined) return { severity: known, isApproximate: false };
  if (/^\d{1,2}(?:\.\d+)?$/.test(word) && Number(word) <= 10) return ofScore(Number(word));
  if (/^(?:cvss:|\(?av:)/.test(word)) {
    const score = cvss3Score(text.trim());
    return score === null ? null : ofScore(score);
  }
  return { severity: 'low', isApproximate: true };
};

/** The greatest of several severities that a source names; null if it names none. */
export const worstSeverity = (texts: readonly string[]): string | null =>
  texts.reduce<string | null>((worst, text) => (rank(text) > rank(worst) ? text : worst), null);

const order: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** An exact word is better than an approximation of the same severity. */
const rank = (text: string | null): number => {
  const mapped = text === null ? null : severityFrom(text);
  return mapped === null ? -1 : 2 * order.indexOf(mapped.severity) + (mapped.isApproximate ? 0 : 1);
};

const ghsa = /GHSA(?:-[0-9a-z]{4}){3}(?![0-9a-z])/i;
const cve = /CVE-\d{4}-\d{4,19}(?!\d)/i;

const isGhsa = (id: string): boolean => ghsa.exec(id)?.[0] === id;
const isCve = (id: string): boolean => cve.exec(id)?.[0] === id;

/** The id that a finding shows: that of GitHub, else that of CVE, else the first one of the source. */
export const preferredId = (ids: readonly string[]): string =>
  ids.find(isGhsa) ?? ids.find(isCve) ?? ids[0] ?? '';

/** The ids of GitHub and of CVE in a text, such as the URL of an advisory. */
export const idsIn = (text: string): readonly string[] =>
  [ghsa, cve].flatMap((pattern) => pattern.exec(text.slice(0, maxSearched))?.[0] ?? []);

const maxSearched = 2000;

/** No advisory is in more databases. */
const maxIds = 50;

/** The distinct ones of these ids that are there. */
export const idsOf = (ids: readonly (string | undefined)[]): readonly string[] =>
  Array.from(new Set(ids.filter((id) => id !== undefined))).slice(0, maxIds);

const rfc3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3})\d*)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The moment of a time in RFC 3339, of any precision and offset; null for any other text. Tools written in Go
 * write the year 1 where they know no time, which counts as no time.
 */
export const sourceTime = (text: string | null): Timestamp | null => {
  const [, moment = '', fraction = '', offset = ''] = rfc3339.exec(text ?? '') ?? [];
  // A day that does not exist would become another one.
  if (!Timestamp.is(`${moment}.000Z`) || moment.startsWith('0001-')) return null;
  const time = Date.parse(`${moment}.${fraction.padEnd(3, '0')}${offset}`);
  return Number.isNaN(time) ? null : timestampAt(time);
};

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
