import { Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Severity } from '../../contract/enums.js';

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
