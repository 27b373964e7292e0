import { millisecondsOf } from '../codecs/timestamp.js';
import type { FixDraftRecord } from '../records/fix-draft.js';

/** How many findings of a repository were open at a moment, and how many of those are being fixed. */
export type RepoHistory = (moment: number) => Readonly<{ seen: number; drafting: number }>;

/** The history of the findings of one repository. A look-up does not go through all of them. */
export const repoHistory = (findings: readonly FixDraftRecord[]): RepoHistory => {
  const discovered = sorted(findings);
  const resolved = Float64Array.from(
    findings
      .filter(({ status }) => status === 'resolved')
      .map((finding) => Math.max(millisecondsOf(finding.updatedAt), millisecondsOf(finding.discoveredAt))),
  ).sort();
  const drafting = sorted(findings.filter(({ status }) => status === 'drafting'));
  return (moment) => ({
    seen: upTo(discovered, moment) - upTo(resolved, moment),
    drafting: upTo(drafting, moment),
  });
};

const sorted = (findings: readonly FixDraftRecord[]): Float64Array =>
  Float64Array.from(findings.map(({ discoveredAt }) => millisecondsOf(discoveredAt))).sort();

/** How many of some sorted moments are not after a moment. */
const upTo = (moments: Float64Array, moment: number): number => {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
};
