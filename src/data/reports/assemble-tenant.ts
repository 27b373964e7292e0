import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { groupBy } from '../../common/sort-and-group.js';
import { type Problem, problem } from '../../contract/codecs/problem.js';
import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import type { FindingStatus, Severity } from '../../contract/enums.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import type { Dataset } from '../../records/dataset.js';
import { validateDataset } from '../../records/validate-dataset.js';
import { advisories } from '../advisories/advisories.js';
import {
  fixedRangeOf,
  preferredId,
  severityFrom,
  sourceTime,
  unionOfRanges,
  vulnerableRangeBefore,
  worstSeverity,
} from './advisory-texts.js';
import { type CompletedField, fileSummary, type ImportSummary } from './import-summary.js';
import { repoNameOfFile } from './package-and-repo-names.js';
import type { FileReport } from './read-report.js';
import type { Note, ReportFinding } from './report.js';

/** A finding of a report, with the repository it is in and the number of the file it is from. */
type PlacedFinding = Readonly<{ repo: string; file: number; found: ReportFinding }>;

/** Findings of the same advisory, package and repository, in the order in which they were read. */
type SameFinding = readonly [PlacedFinding, ...PlacedFinding[]];

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
const mergeFindings = (findings: readonly PlacedFinding[]): readonly SameFinding[] => {
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
type SparseRow = Readonly<{
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
const sparseRow = (same: SameFinding, repo: string, scannedAt: Timestamp | null): SparseRow => {
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

/** A file that was read. `repo`: the repository that all of it belongs to, if somebody chose one. */
export type ReadFile = Readonly<{ file: string; repo: string | null; report: FileReport }>;

/** The rows of a sparse fixture, and what each file contributed. */
export type AssembledRows = Readonly<{
  repos: readonly Readonly<{ owner: string; repo: string }>[];
  scans: readonly Readonly<{ repo: string; finishedAt: Timestamp; findingsSeen: number }>[];
  findings: readonly SparseRow[];
  /** For each file: its repositories, the findings that it had first, and those that another had before. */
  files: readonly Readonly<{ repos: readonly string[]; findings: number; merged: number }>[];
}>;

/** The same repository whatever the case of its letters, as on GitHub. */
const keyOf = (repo: string): string => repo.toLowerCase();

/** Adds `-2` and so on to a name that is taken. */
const distinct = (name: string, taken: ReadonlySet<string>): string => {
  let candidate = name;
  for (let number = 2; taken.has(keyOf(candidate)); number += 1) candidate = `${name}-${number}`;
  return candidate;
};

/** The repository of each file for reports that name none. Each such file has one of its own. */
const defaultRepos = (files: readonly ReadFile[]): readonly string[] => {
  const taken = new Set(
    files
      .flatMap(({ repo, report }) => [repo ?? [], report.reports.flatMap(({ repos }) => repos)].flat())
      .map(keyOf),
  );
  return files.map(({ file, repo }) => {
    if (repo !== null) return repo;
    const name = distinct(repoNameOfFile(file), taken);
    taken.add(keyOf(name));
    return name;
  });
};

type PlacedScan = Readonly<{ repo: string; scannedAt: Timestamp | null }>;

/** The findings of a file and the repositories that were scanned, each in its place. */
const placed = (
  { repo: chosen, report }: ReadFile,
  file: number,
  otherwise: string,
): Readonly<{ findings: readonly PlacedFinding[]; scans: readonly PlacedScan[] }> => {
  const parts = report.reports.map(({ repos, scannedAt, entries }) => {
    const own = chosen ?? repos[0] ?? otherwise;
    const findings = entries
      .flatMap((entry) => (E.isRight(entry) ? [entry.right] : []))
      .map((found) => ({ repo: chosen ?? found.repo ?? own, file, found }));
    const named = chosen === null ? [...repos, ...findings.map(({ repo }) => repo)] : [chosen];
    return {
      findings,
      scans: (named.length === 0 ? [own] : named).map((repo) => ({ repo, scannedAt: sourceTime(scannedAt) })),
    };
  });
  return {
    findings: parts.flatMap(({ findings }) => findings),
    scans: parts.flatMap(({ scans }) => scans),
  };
};

/** Repositories by the key of their names, each under the name that was read first. */
const namesOf = (scans: readonly PlacedScan[]): ReadonlyMap<string, string> =>
  new Map(scans.toReversed().map(({ repo }) => [keyOf(repo), repo]));

/** The last scan of each repository, by the key of its name. */
const lastScans = (scans: readonly PlacedScan[]): ReadonlyMap<string, Timestamp> => {
  const last = new Map<string, Timestamp>();
  for (const { repo, scannedAt } of scans) {
    const known = last.get(keyOf(repo));
    if (scannedAt !== null && (known === undefined || known < scannedAt)) last.set(keyOf(repo), scannedAt);
  }
  return last;
};

/** Makes the rows of one tenant of the reports in these files. */
const assembleRows = (files: readonly ReadFile[]): AssembledRows => {
  const otherwise = defaultRepos(files);
  const parts = files.map((each, index) => placed(each, index, otherwise[index] ?? each.file));
  const scans = parts.flatMap((part) => part.scans);
  const names = namesOf(scans);
  const nameOf = (repo: string): string => names.get(keyOf(repo)) ?? repo;
  const scanned = lastScans(scans);
  const merged = mergeFindings(parts.flatMap(({ findings }) => findings));
  const findings = merged.map((same) => {
    const [{ repo }] = same;
    return sparseRow(same, nameOf(repo), scanned.get(keyOf(repo)) ?? null);
  });
  const unresolved = groupBy(
    findings.filter(({ status }) => status !== 'resolved'),
    ({ repo }) => repo,
  );
  const contributions = contributionsOf(merged);
  const distinctNames = Array.from(new Set(scans.map(({ repo }) => nameOf(repo))));
  return {
    repos: distinctNames.map((name) => {
      const [owner = '', repo = ''] = name.split('/');
      return { owner, repo };
    }),
    scans: distinctNames.flatMap((repo) => {
      const finishedAt = scanned.get(keyOf(repo));
      return finishedAt === undefined
        ? []
        : [{ repo, finishedAt, findingsSeen: unresolved.get(repo)?.length ?? 0 }];
    }),
    findings,
    files: parts.map((part, index) => ({
      repos: Array.from(new Set(part.scans.map(({ repo }) => nameOf(repo)))),
      findings: contributions.first.get(index) ?? 0,
      merged: contributions.further.get(index) ?? 0,
    })),
  };
};

/** How many findings each file was the first to have, and how many of its findings others had before. */
const contributionsOf = (merged: readonly SameFinding[]) => {
  const first = new Map<number, number>();
  const further = new Map<number, number>();
  const increment = (counts: Map<number, number>, file: number): void => {
    counts.set(file, (counts.get(file) ?? 0) + 1);
  };
  for (const [earliest, ...rest] of merged) {
    increment(first, earliest.file);
    for (const { file } of rest) increment(further, file);
  }
  return { first, further };
};

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests', 'sessions', 'apiTokens'] as const;

/** What the rows of a sparse fixture are called, and which field stands for which. */
const rowsOf = (sparse: Readonly<Record<string, unknown>>, collection: string): readonly unknown[] => {
  const rows = sparse[collection === 'fixDrafts' ? 'findings' : collection];
  if (collection !== 'pullRequests') return Array.isArray(rows) ? rows : [];
  return rowsOf(sparse, 'fixDrafts').flatMap((row) =>
    UnknownRecord.is(row) && UnknownRecord.is(row.pullRequest) ? [{ ...row.pullRequest, draftId: '' }] : [],
  );
};

/** `repo` of a finding or a scan stands for `repoId`. */
const isGiven = (row: unknown, field: string): boolean =>
  UnknownRecord.is(row) && (row[field] !== undefined || (field === 'repoId' && row.repo !== undefined));

/** The rows and fields that were completed, with their numbers. */
const completedFields = (
  sparse: Readonly<Record<string, unknown>>,
  complete: Dataset,
): readonly CompletedField[] =>
  collections.flatMap((collection) => {
    const rows: readonly object[] = complete[collection];
    const given = rowsOf(sparse, collection);
    const names = collection === 'fixDrafts' ? 'findings' : collection;
    const fields = Object.keys(rows[0] ?? {}).map((field) => ({
      collection: names,
      field,
      count: given.filter((row) => !isGiven(row, field)).length,
    }));
    return [{ collection: names, field: null, count: rows.length - given.length }, ...fields].filter(
      ({ count }) => count > 0,
    );
  });

/** A tenant of which the reports had only a part. */
export type AssembledTenant = Readonly<{
  /** What the reports say, as a sparse fixture. */
  sparse: Readonly<Record<string, unknown>>;
  /** The same with everything that the reports do not say. */
  complete: Dataset;
  summary: ImportSummary;
}>;

/** How to make a tenant. */
type TenantOptions = Readonly<{
  /** What its user is named after. */
  name: string;
  /** When the data is current. */
  asOf: Timestamp;
  /** The file that it will be written to; null for standard output. */
  file: string | null;
}>;

/** How much one tenant may have: more takes gigabytes of memory to complete. */
const maxEntries = 2_000_000;
const maxFindings = 250_000;

/** Makes one tenant of the reports in these files. `left`: why it cannot be made. */
export const assembleTenant = (
  files: readonly ReadFile[],
  { name, asOf, file }: TenantOptions,
): E.Either<readonly Problem[], AssembledTenant> => {
  const entries = files.flatMap(({ report }) => report.reports.map((each) => each.entries.length));
  if (entries.reduce((sum, count) => sum + count, 0) > maxEntries)
    return E.left([
      problem([], `the reports have more than ${maxEntries} entries; import fewer files at once`),
    ]);
  const rows = assembleRows(files);
  if (rows.findings.length > maxFindings)
    return E.left([
      problem([], `the reports have more than ${maxFindings} findings; import fewer files at once`),
    ]);
  const { repos, scans, findings } = rows;
  const sparse = { asOf, repos, ...(scans.length === 0 ? {} : { scans }), findings };
  const completed = E.flatMap(validateDataset)(completeFixture(sparse, name));
  if (E.isLeft(completed)) return completed;
  const complete = completed.right;
  return E.right({ sparse, complete, summary: summaryOf(files, rows, sparse, complete, file) });
};

const summaryOf = (
  files: readonly ReadFile[],
  rows: AssembledRows,
  sparse: Readonly<Record<string, unknown>>,
  complete: Dataset,
  file: string | null,
): ImportSummary => {
  const summaries = files.map((each, index) =>
    fileSummary(each, rows.files[index] ?? { repos: [], findings: 0, merged: 0 }),
  );
  const sum = (field: 'read' | 'findings' | 'merged' | 'leftOut'): number =>
    summaries.reduce((total, summary) => total + summary[field], 0);
  return {
    files: summaries,
    total: {
      files: files.length,
      repos: rows.repos.length,
      read: sum('read'),
      findings: sum('findings'),
      merged: sum('merged'),
      leftOut: sum('leftOut'),
    },
    completed: completedFields(sparse, complete),
    tenant: {
      file,
      email: complete.user.email,
      password: complete.user.password,
      session: complete.sessions[0]?.value ?? null,
      token: complete.apiTokens[0]?.token ?? null,
    },
  };
};
