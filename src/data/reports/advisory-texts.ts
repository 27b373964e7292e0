import cvss from 'ae-cvss-calculator';
import { groupBy } from '../../common/sort-and-group.js';
import { Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Severity } from '../../contract/enums.js';
import { severities } from '../../fixtures/severities.js';
import type { Fix } from './report.js';

/** The library prints a warning about text that does not have this form. */
const cvssVector = /^\(?(?:CVSS:\d\.\d\/)?[a-z]+:[a-z]+(?:\/[a-z]+:[a-z]+)*\/?\)?$/i;

/** The base score of a vector of any version of CVSS; null if a metric is missing or unknown. */
const scoreOf = (text: string): number | null => {
  const vector = cvssVector.test(text) ? cvss.fromVector(text) : null;
  return vector?.isBaseFullyDefined() ? vector.calculateScores().base : null;
};

/**
 * The severity that a source names as a word, a CVSS score or a CVSS vector; null for a vector without a
 * score. Words without a place in the contract, such as `info` and `unknown`, count as low, approximately.
 */
export const severityFrom = (
  text: string,
): Readonly<{ severity: Severity; isApproximate: boolean }> | null => {
  const word = text.trim().toLowerCase();
  const known = severities.find(({ words }) => words.includes(word));
  if (known !== undefined) return { severity: known.severity, isApproximate: false };
  const isScore = /^\d{1,2}(?:\.\d+)?$/.test(word) && Number(word) <= 10;
  if (!isScore && !/^(?:cvss:|\(?av:)/.test(word)) return { severity: 'low', isApproximate: true };
  const score = isScore ? Number(word) : scoreOf(text.trim());
  const ofScore = severities.find((each) => score !== null && score >= each.score);
  // CVSS calls a score of 0 none.
  return ofScore === undefined ? null : { severity: ofScore.severity, isApproximate: score === 0 };
};

/** An exact word is better than an approximation of the same severity. */
const rank = (text: string): number => {
  const mapped = severityFrom(text);
  const place = severities.findIndex(({ severity }) => severity === mapped?.severity);
  return mapped === null ? -1 : 2 * (severities.length - place) + (mapped.isApproximate ? 0 : 1);
};

/** The greatest of several severities that a source names; null if it names none. */
export const worstSeverity = (texts: readonly string[]): string | null => {
  const ranks = texts.map(rank);
  const worst = ranks.reduce((l, r) => Math.max(l, r), -1);
  return worst === -1 ? null : (texts[ranks.indexOf(worst)] ?? null);
};

const ghsa = /GHSA(?:-[0-9a-z]{4}){3}(?![0-9a-z])/i;
const cve = /CVE-\d{4}-\d{4,19}(?!\d)/i;

/** The id that a finding shows: that of GitHub, else that of CVE, else the first one of the source. */
export const preferredId = (ids: readonly string[]): string =>
  ids.find((id) => ghsa.exec(id)?.[0] === id) ?? ids.find((id) => cve.exec(id)?.[0] === id) ?? ids[0] ?? '';

/** The ids of GitHub and of CVE in a text, such as the URL of an advisory. */
export const advisoryIds = (text: string | null): readonly string[] =>
  [ghsa, cve].flatMap((pattern) => pattern.exec(text ?? '')?.[0] ?? []);

const rfc3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/;

/** The moment of a time in RFC 3339; null for any other text, and for the year 1, which is no time in Go. */
export const sourceTime = (text: string | null): Timestamp | null => {
  const [, moment = '', fraction = '', offset = ''] = rfc3339.exec(text ?? '') ?? [];
  // A day that does not exist would become another one.
  if (!Timestamp.is(`${moment}.000Z`) || moment.startsWith('0001-')) return null;
  const time = Date.parse(`${moment}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(time) ? null : timestampAt(time);
};

/** Words after a release number that do not make it an earlier version. */
const releases = ['final', 'ga', 'release', 'post', 'sp', 'patch', 'r'];

type VersionPart = number | string;

const partsOf = (version: string): readonly VersionPart[] => {
  const parts = version.replace(/^v(?=\d)|\+.*$/gis, '').match(/\d{1,15}|[A-Za-z]+/g) ?? [];
  return parts.map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()));
};

/** A missing part counts as 0, which is after a word such as `rc` and before one such as `release`. */
const compareParts = (left: VersionPart = 0, right: VersionPart = 0): number => {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'number') return -compareParts(right, left);
  if (typeof right === 'number') return releases.includes(left) && right === 0 ? 1 : -1;
  return left < right ? -1 : Number(left > right);
};

/** Orders versions of any ecosystem well enough for ranges: `1.0-rc1` before `1.0`, `1.9` before `1.10`. */
export const compareVersions = (left: string, right: string): number => {
  const [l, r] = [partsOf(left), partsOf(right)];
  for (let index = 0; index < Math.max(l.length, r.length); index += 1) {
    const difference = compareParts(l[index], r[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** The range of a finding that has no fix, such as `fixedRange`. */
export const noFixedVersion = 'no fixed version';

/** The alternatives of a range, such as the two of `<2.6.9 || >=3.0.0 <3.1.0`. */
const alternatives = (range: string): readonly string[] => {
  const parts = range.split('||').map((part) => part.trim());
  return parts.filter((part) => part !== '');
};

/** An operator and the version after it, wherever they stand in an alternative. */
const bound = /(?:^|[\s,])(>=|<=|>|<|=)\s*([\w.+:~-]+)/g;

/** The bounds of an alternative. Null: it has no such bound. */
const intervalOf = (alternative: string) => {
  const bounds = Array.from(alternative.matchAll(bound));
  const version = (operator: string): string | null =>
    bounds.find((each) => each[1] === operator)?.[2] ?? null;
  const start = version('>=') ?? version('>') ?? version('=');
  const from = start === null || /^0(?:\.0)*$/.test(start) ? null : start;
  return { from, before: version('<'), through: version('<=') };
};

const byStart = (left: string | null, right: string | null): number =>
  left === null || right === null
    ? Number(left !== null) - Number(right !== null)
    : compareVersions(left, right);

/** How many alternatives a range may have; further ones say no more to anybody. */
const maxAlternatives = 50;

/** One range of several, each alternative once, as the sources have them, the lowest versions first. */
export const unionOfRanges = (ranges: readonly string[]): string =>
  // Tools differ in spaces and commas.
  Array.from(groupBy(ranges.flatMap(alternatives), (each) => each.replaceAll(/[\s,]+/g, '')).values())
    .map(([text = '']) => ({ text, from: intervalOf(text).from }))
    .sort((l, r) => byStart(l.from, r.from))
    .slice(0, maxAlternatives)
    .map(({ text }) => text)
    .join(' || ');

/** The fix for a report that names none: after the vulnerable versions. Null if their end is not known. */
export const fixAfter = (range: string | null): Fix | null => {
  const intervals = alternatives(range ?? '').map(intervalOf);
  const ends = intervals.flatMap(({ before }) => before ?? []);
  const last = intervals.flatMap(({ through }) => through ?? []).toSorted(compareVersions);
  if (ends.length > 0) return ends;
  return last.length > 0 ? `> ${last.at(-1)}` : null;
};

/**
 * The range of the fixed versions: `>= 2.6.9, < 3.0.0 || >= 3.1.0` for these fixed versions of the range
 * `< 2.6.9 || >= 3.0.0, < 3.1.0`. A fixed version that is vulnerable by another alternative is left out.
 */
const rangeOfFixed = (versions: readonly string[], vulnerableRange: string): string => {
  const intervals = alternatives(vulnerableRange).slice(0, maxAlternatives).map(intervalOf);
  const isVulnerable = (version: string): boolean =>
    intervals.some(({ from, before }) => {
      const isBefore = before !== null && compareVersions(version, before) < 0;
      return isBefore && (from === null || compareVersions(version, from) >= 0);
    });
  const starts = intervals.flatMap(({ from }) => from ?? []).toSorted(compareVersions);
  const sorted = Array.from(new Set(versions)).sort(compareVersions).slice(0, maxAlternatives);
  const fixed = sorted.filter((version) => !isVulnerable(version));
  return (fixed.length === 0 ? sorted : fixed)
    .map((version, index, all) => {
      const next = all[index + 1];
      const start = starts.find((from) => compareVersions(from, version) > 0);
      const isBounded = start !== undefined && (next === undefined || compareVersions(start, next) < 0);
      return isBounded ? `>= ${version}, < ${start}` : `>= ${version}`;
    })
    .join(' || ');
};

const versionsOf = (fixes: readonly Fix[]): readonly string[] =>
  fixes.flatMap((fix) => (typeof fix === 'string' ? [] : fix));

/** The range in which a vulnerability is fixed, of what sources say about it; null if none of them says. */
export const fixedRangeOf = (fixes: readonly Fix[], vulnerableRange: string): string | null => {
  const versions = versionsOf(fixes);
  if (versions.length > 0) return rangeOfFixed(versions, vulnerableRange);
  const ranges = fixes.filter((fix) => typeof fix === 'string');
  if (ranges.length > 0) return unionOfRanges(ranges);
  return fixes.length > 0 ? noFixedVersion : null;
};

/** The vulnerable range where sources name none: before the next fixed version, else those installed. */
export const vulnerableRangeBefore = (fixes: readonly Fix[], installed: readonly string[]): string | null => {
  const highest = installed.toSorted(compareVersions).at(-1);
  const fixed = versionsOf(fixes).toSorted(compareVersions);
  const next = fixed.find((version) => highest === undefined || compareVersions(version, highest) > 0);
  if (next !== undefined) return `< ${next}`;
  return installed.length === 0 ? null : unionOfRanges(installed.map((version) => `= ${version}`));
};

/** A fix as tools write it: versions such as `1.5.13, 1.3.15`, or a range. npm writes `<0.0.0` for none. */
export const fixFrom = (text: string): Fix => {
  const range = text.trim();
  if (/^<\s*0\.0\.0$/.test(range)) return [];
  return /[<>=~^*|]/.test(range) ? range : range.split(/[\s,]+/).filter((version) => version !== '');
};
