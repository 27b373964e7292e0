import { groupBy } from '../../common/sort-and-group.js';
import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import type { FindingStatus, Severity } from '../../contract/enums.js';
import { advisories } from '../advisories/advisories.js';
import type { Note, ReportFinding } from './report.js';
import { preferredId, severityFrom, sourceTime, worstSeverity } from './severity-and-ids.js';
import { fixedRangeOf, unionOfRanges, vulnerableRangeBefore } from './version-ranges.js';

/** A finding of a report, with the repository it is in and the number of the file it is from. */
export type PlacedFinding = Readonly<{ repo: string; file: number; found: ReportFinding }>;

/** Findings of the same advisory, package and repository, in the order in which they were read. */
export type SameFinding = readonly [PlacedFinding, ...PlacedFinding[]];

/** Registries whose package names are compared without regard to case. */
const ignoringCase = ['PyPI', 'NuGet'];

const nameOf = (name: string, ecosystem: string): string =>
  ignoringCase.includes(ecosystem) ? name.toLowerCase().replaceAll('_', '-') : name;

/** The other id of each published advisory: two tools may name it by different ones. */
const published: ReadonlyMap<string, string> = new Map(
  advisories.flatMap(({ advisoryId, cve }) => [
    [advisoryId, cve],
    [cve, advisoryId],
  ]),
);

/** The ecosystem of a finding that names none: that of the same package in the same repository. */
const ecosystemsOf = (findings: readonly PlacedFinding[]): ((finding: PlacedFinding) => string) => {
  const known = groupBy(
    findings.filter(({ found }) => found.ecosystem !== null),
    ({ repo, found }) => JSON.stringify([repo, found.package]),
  );
  return ({ repo, found }) =>
    found.ecosystem ?? known.get(JSON.stringify([repo, found.package]))?.[0]?.found.ecosystem ?? '';
};

/**
 * Puts findings together that are the same one: in the same repository and package, with an id of the
 * advisory in common, or with two ids that another finding or a published advisory has both of. Takes time in
 * proportion to the number of ids.
 */
export const mergeFindings = (findings: readonly PlacedFinding[]): readonly SameFinding[] => {
  const ecosystemOf = ecosystemsOf(findings);
  /** For each finding an earlier one that is the same, or itself. */
  const leaders = findings.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let at = index;
    while (leaders[at] !== at) {
      // Shortens the way for the next time.
      leaders[at] = leaders[leaders[at] ?? at] ?? at;
      at = leaders[at] ?? at;
    }
    return at;
  };
  const byId = new Map<string, number>();
  for (const [index, placed] of findings.entries()) {
    const { ids, package: name } = placed.found;
    const ecosystem = ecosystemOf(placed);
    for (const id of ids.flatMap((each) => [each, published.get(each) ?? each])) {
      const key = JSON.stringify([
        placed.repo.toLowerCase(),
        ecosystem,
        nameOf(name, ecosystem),
        id.toLowerCase(),
      ]);
      const [left, right] = [leaderOf(byId.get(key) ?? index), leaderOf(index)];
      leaders[Math.max(left, right)] = Math.min(left, right);
      byId.set(key, Math.min(left, right));
    }
  }
  return Array.from(groupBy(findings.entries(), ([index]) => leaderOf(index)).values()).flatMap((group) => {
    const [first, ...rest] = group.map(([, placed]) => placed);
    return first === undefined ? [] : [[first, ...rest] as const];
  });
};

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
