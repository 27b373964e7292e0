import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import { type FindingStatus, type PrStatus, prStatusOf, type Severity } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import type { Pr } from '../../contract/pr.js';
import type { Repo } from '../../contract/repo.js';

const day = 86_400_000;
const week = 7 * day;

/** The first Monday of the epoch: 5 January 1970. */
const firstMonday = 4 * day;

/** Weeks in a row, each from Monday 00:00 UTC, the oldest first: their beginnings in milliseconds. */
type Weeks = readonly number[];

/** The week of a moment and those before it, `count` in all. */
export const weeksUntil = (now: number, count: number): Weeks => {
  const last = firstMonday + Math.floor((now - firstMonday) / week) * week;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * week);
};

/** The index of the week of a moment; null: it is in none of them. */
export const weekOf = (weeks: Weeks, moment: number): number | null => {
  const index = Math.floor((moment - (weeks[0] ?? 0)) / week);
  return index >= 0 && index < weeks.length ? index : null;
};

/** A list as far as it was read. */
export type ReadRows<Row> = Readonly<{ rows: readonly Row[]; total: number }>;

/** Everything that the overview is made of. */
export type OverviewData = Readonly<{
  repos: readonly Repo[];
  findings: ReadRows<Finding>;
  prs: ReadRows<Pr>;
  /** As the API counts them; all of them, however many were read. */
  openPrs: number;
}>;

/** The states of pull requests on the overview: those of the filter, and all that it does not match. */
export const prStates: readonly (PrStatus | 'other')[] = ['open', 'merged', 'closed', 'other'];

/** So many weeks are shown, up to the current one. */
export const shownWeeks = 26;

/** So many repositories are shown. */
export const shownRepos = 10;

/** What the overview shows. */
export type Overview = ReturnType<typeof overviewOf>;

/** Counts what the overview shows. */
export const overviewOf = ({ repos, findings, prs }: OverviewData, now: number) => {
  const weeks = weeksUntil(now, shownWeeks);
  const affected = repos.filter(({ openAdvisoryCount }) => openAdvisoryCount > 0);
  return {
    openFindings: findings.rows.filter(({ status }) => status !== 'resolved').length,
    failedScans: repos.filter(hasFailed).length,
    bySeverity: severityCounts(findings.rows),
    discovered: weekly(weeks, findings.rows, 1, ({ discoveredAt }) => [discoveredAt, 0]),
    // By state, in the order of `prStates`.
    created: weekly(weeks, prs.rows, prStates.length, ({ createdAt, prState }) => [
      createdAt,
      prStates.indexOf(prStatusOf(prState) ?? 'other'),
    ]),
    topRepos: affected.toSorted((l, r) => r.openAdvisoryCount - l.openAdvisoryCount).slice(0, shownRepos),
    affectedRepos: affected.length,
  };
};

/** Whether the last scan has failed: scan statuses are free-form, but an error is one. */
const hasFailed = ({ lastScan }: Repo): boolean =>
  lastScan !== null && (lastScan.error !== null || lastScan.status === 'failed');

const severityCounts = (
  findings: readonly Finding[],
): Readonly<Record<Severity, Record<FindingStatus, number>>> => {
  const none = () => ({ pending: 0, drafting: 0, escalated: 0, resolved: 0 });
  const counts = { critical: none(), high: none(), medium: none(), low: none() };
  for (const { severity, status } of findings) counts[severity][status] += 1;
  return counts;
};

/** Counts by week; what is in none of the weeks is counted apart. */
export type Weekly = ReturnType<typeof weekly>;

/**
 * Counts rows by week, and for each week by series; `read` returns the moment and the index of the series.
 */
const weekly = <Row>(
  weeks: Weeks,
  rows: readonly Row[],
  series: number,
  read: (row: Row) => readonly [Timestamp, number],
) => {
  const counts = weeks.map(() => new Array<number>(series).fill(0));
  let [before, after] = [0, 0];
  for (const row of rows) {
    const [at, index] = read(row);
    const moment = millisecondsOf(at);
    const week = weekOf(weeks, moment);
    const ofWeek = week === null ? undefined : counts[week];
    if (ofWeek !== undefined) ofWeek[index] = (ofWeek[index] ?? 0) + 1;
    else if (moment < (weeks[0] ?? 0)) before += 1;
    else after += 1;
  }
  return { weeks, counts, before, after };
};
