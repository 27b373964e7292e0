import type { Severity } from '../../contract/enums.js';
import { cvss3Score } from './cvss3.js';

/** A severity of the contract, and whether the source said something else that has no place there. */
export type MappedSeverity = Readonly<{ severity: Severity; isApproximate: boolean }>;

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
