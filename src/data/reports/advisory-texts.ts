import cvss from 'ae-cvss-calculator';
import { Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import type { Severity } from '../../contract/enums.js';
import { severities } from '../../fixtures/severities.js';

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
