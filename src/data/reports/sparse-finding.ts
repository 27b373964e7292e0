import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import type { FindingStatus, Severity } from '../../contract/enums.js';
import { preferredId } from './advisory-ids.js';
import type { SameFinding } from './merge-findings.js';
import type { Note } from './notes.js';
import type { ReportFinding } from './report.js';
import { severityFrom, worstSeverity } from './severity.js';
import { sourceTime } from './source-time.js';
import { fixedRangeOf, unionOfRanges, vulnerableRangeBefore } from './version-ranges.js';

/** A row of `findings` of a sparse fixture. */
export type SparseRow = Readonly<{
  repo: string;
  advisoryId: string;
  package: string;
  ecosystem?: string;
  vulnerableRange?: string;
  fixedRange?: string;
  severity?: Severity;
  status?: FindingStatus;
  discoveredAt?: Timestamp;
  updatedAt?: Timestamp;
  reconciledAt?: Timestamp;
  pullRequest?: Readonly<{ prUrl: string; fromVersion?: string }>;
}>;

/** The greater a status, the more work is left: a finding is open as long as it is open anywhere. */
const statuses: readonly FindingStatus[] = ['resolved', 'pending', 'drafting', 'escalated'];

const severityOf = (findings: readonly ReportFinding[]): Severity | undefined => {
  const worst = worstSeverity(findings.flatMap(({ severity }) => severity ?? []));
  return worst === null ? undefined : (severityFrom(worst)?.severity ?? undefined);
};

const rangesOf = (findings: readonly ReportFinding[]): Pick<SparseRow, 'vulnerableRange' | 'fixedRange'> => {
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  const named = unionOfRanges(findings.flatMap(({ vulnerableRange }) => vulnerableRange ?? []));
  const fixedRange = fixedRangeOf(fixes, named);
  const installed = findings.flatMap((each) => each.installed ?? []);
  const vulnerableRange = named === '' ? vulnerableRangeBefore(fixes, installed) : named;
  return {
    ...(vulnerableRange === null ? {} : { vulnerableRange }),
    ...(fixedRange === null ? {} : { fixedRange }),
  };
};

const earliest = (times: readonly (Timestamp | null)[]): Timestamp | undefined =>
  times.flatMap((time) => time ?? []).toSorted()[0];

const latest = (times: readonly (Timestamp | null)[]): Timestamp | undefined =>
  times
    .flatMap((time) => time ?? [])
    .toSorted()
    .at(-1);

const datesOf = (
  findings: readonly ReportFinding[],
  status: FindingStatus,
  scannedAt: Timestamp | null,
): Pick<SparseRow, 'discoveredAt' | 'updatedAt' | 'reconciledAt'> => {
  const named = earliest(findings.map((each) => sourceTime(each.discoveredAt)));
  // An advisory may be published after the scan that found it, for example under another id.
  const discoveredAt = scannedAt === null || (named !== undefined && named < scannedAt) ? named : scannedAt;
  const updatedAt = latest(findings.map((each) => sourceTime(each.updatedAt)));
  const resolvedAt = latest(findings.map((each) => sourceTime(each.resolvedAt)));
  const isAfter = (time: Timestamp): boolean =>
    discoveredAt === undefined || millisecondsOf(time) >= millisecondsOf(discoveredAt);
  return {
    ...(discoveredAt === undefined ? {} : { discoveredAt }),
    ...(updatedAt !== undefined && isAfter(updatedAt) ? { updatedAt } : {}),
    ...(status === 'resolved' && resolvedAt !== undefined && isAfter(resolvedAt)
      ? { reconciledAt: resolvedAt }
      : {}),
  };
};

/** One row of what reports say about a finding. `scannedAt`: when its repository was scanned. */
export const sparseRow = (same: SameFinding, repo: string, scannedAt: Timestamp | null): SparseRow => {
  const findings = same.map(({ found }) => found);
  const [first] = same;
  const ecosystem = findings.flatMap((each) => each.ecosystem ?? [])[0];
  const severity = severityOf(findings);
  const status =
    statuses.findLast((each) => findings.some((found) => found.status === each)) ?? first.found.status;
  const prUrl = findings.flatMap((each) => each.prUrl ?? [])[0];
  const fromVersion = findings.flatMap((each) => each.installed ?? [])[0];
  return {
    repo,
    advisoryId: preferredId(findings.flatMap(({ ids }) => ids)),
    package: first.found.package,
    ...(ecosystem === undefined ? {} : { ecosystem }),
    ...rangesOf(findings),
    ...(severity === undefined ? {} : { severity }),
    // A pull request says more about the status than that the finding is open.
    ...(prUrl !== undefined && status === 'pending' ? {} : { status }),
    ...datesOf(findings, status, scannedAt),
    ...(prUrl === undefined
      ? {}
      : { pullRequest: { prUrl, ...(fromVersion === undefined ? {} : { fromVersion }) } }),
  };
};

/** What people should know about how the parts of a finding are read. */
export const notesOf = (found: ReportFinding): readonly Note[] => {
  const mapped = found.severity === null ? undefined : severityFrom(found.severity);
  const dates = [found.discoveredAt, found.updatedAt, found.resolvedAt];
  return [
    ...(found.severity !== null && mapped === null
      ? [{ kind: 'severity-not-read' as const, value: found.severity }]
      : []),
    ...(found.severity !== null && mapped?.isApproximate
      ? [{ kind: 'severity-as-low' as const, value: found.severity }]
      : []),
    ...dates
      .filter((date) => date !== null && sourceTime(date) === null && !date.startsWith('0001-'))
      .map((date) => ({ kind: 'date-not-read' as const, value: date ?? '' })),
    ...rangeNotes(found),
  ];
};

const rangeNotes = ({ vulnerableRange, fix, installed }: ReportFinding): readonly Note[] => {
  if (vulnerableRange !== null) return [];
  if (fix?.kind === 'versions') return [{ kind: 'range-from-fix', value: '' }];
  return installed === null ? [] : [{ kind: 'range-from-version', value: '' }];
};
