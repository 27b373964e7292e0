import * as E from '#fp-ts/Either';
import * as RA from '#fp-ts/ReadonlyArray';
import { groupBy } from '../../common/sort-and-group.js';
import { type Problem, problem } from '../../contract/codecs/problem.js';
import type { Timestamp } from '../../contract/codecs/timestamp.js';
import type { FindingStatus } from '../../contract/enums.js';
import { advisories, ignoringCase } from '../../fixtures/advisories.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { validateDataset } from '../../fixtures/validate-dataset.js';
import { preferredId, severityFrom, sourceTime, worstSeverity } from './advisory-texts.js';
import { type ImportSummary, importSummary } from './import-summary.js';
import { mergeRanges } from './merge-ranges.js';
import { repoNameOfFile } from './package-and-repo-names.js';
import type { FileReport } from './read-report.js';
import type { ReportFinding } from './report.js';

/** A file that was read. `repo`: the repository that all of it belongs to, if somebody chose one. */
export type ReadFile = Readonly<{ file: string; repo: string | null; report: FileReport }>;

/** The same repository whatever the case of its letters, as on GitHub. */
const repoKey = (repo: string): string => repo.toLowerCase();

/** The repository of each file for reports that name none. Each such file has one of its own. */
const defaultRepos = (files: readonly ReadFile[]): readonly string[] => {
  const named = files.flatMap(({ report }) => report.reports.flatMap(({ repos }) => repos));
  const taken = new Set([...files.flatMap(({ repo }) => repo ?? []), ...named].map(repoKey));
  return files.map(({ file, repo }) => {
    const base = repoNameOfFile(file);
    let name = repo ?? base;
    for (let number = 2; repo === null && taken.has(repoKey(name)); number += 1) name = `${base}-${number}`;
    taken.add(repoKey(name));
    return name;
  });
};

/** A finding of a report, with the repository it is in and the number of the file it is from. */
type PlacedFinding = Readonly<{ repo: string; file: number; found: ReportFinding }>;

/** The findings of all files and the repositories that were scanned, each in its place. */
const place = (files: readonly ReadFile[]) => {
  const otherwise = defaultRepos(files);
  const parts = files.flatMap(({ repo: chosen, report }, file) =>
    report.reports.map(({ repos, scannedAt, entries }) => {
      const own = chosen ?? repos[0] ?? otherwise[file] ?? '';
      const findings = RA.rights(entries).map((found): PlacedFinding => {
        return { repo: chosen ?? found.repo ?? own, file, found };
      });
      const named = chosen === null ? [...repos, ...findings.map(({ repo }) => repo)] : [];
      const scanned = new Set(named.length === 0 ? [own] : named);
      return { findings, scans: Array.from(scanned, (repo) => ({ repo, file, scannedAt })) };
    }),
  );
  return {
    findings: parts.flatMap(({ findings }) => findings),
    scans: parts.flatMap(({ scans }) => scans),
  };
};

/** The other id of each published advisory: two tools may name it by different ones. */
const published: ReadonlyMap<string, string> = new Map(
  advisories.flatMap(({ advisoryId, cve }) => [
    [advisoryId, cve],
    [cve, advisoryId],
  ]),
);

/** The same package under any of its names; of PyPI, those of PEP 503. */
const nameKey = (name: string, ecosystem: string): string => {
  const lowerCase = ignoringCase.includes(ecosystem) ? name.toLowerCase() : name;
  return ecosystem === 'PyPI' ? lowerCase.replaceAll(/[-_.]+/g, '-') : lowerCase;
};

/** For each id of each finding a text that it shares with findings that are the same one. */
const keysOfIds = (findings: readonly PlacedFinding[]): readonly (readonly string[])[] => {
  const packageKey = ({ repo, found }: PlacedFinding): string => JSON.stringify([repo, found.package]);
  const named = findings.filter(({ found }) => found.ecosystem).toReversed();
  const ecosystems = new Map(named.map((each) => [packageKey(each), each.found.ecosystem]));
  return findings.map((each) => {
    const { ids, package: name } = each.found;
    // The ecosystem of a finding that names none is that of the same package in the same repository.
    const ecosystem = each.found.ecosystem ?? ecosystems.get(packageKey(each)) ?? '';
    const key = [repoKey(each.repo), ecosystem, nameKey(name, ecosystem)];
    const aliases = ids.flatMap((id) => [id, published.get(id) ?? id]);
    return aliases.map((id) => JSON.stringify([...key, id.toLowerCase()]));
  });
};

/** Puts findings together that share an id, in the same package and repository, or share one with a third. */
const mergeFindings = (findings: readonly PlacedFinding[]): readonly (readonly PlacedFinding[])[] => {
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
  for (const [index, keys] of keysOfIds(findings).entries())
    for (const key of keys) {
      const [left, right] = [leaderOf(byId.get(key) ?? index), leaderOf(index)];
      leaders[Math.max(left, right)] = Math.min(left, right);
      byId.set(key, Math.min(left, right));
    }
  const groups = groupBy(findings.keys(), leaderOf).values();
  return Array.from(groups, (group) => group.flatMap((index) => findings[index] ?? []));
};

/** How much work is left: a finding is open as long as it is open anywhere. */
const workOf: Readonly<Record<FindingStatus, number>> = {
  resolved: 0,
  pending: 1,
  drafting: 2,
  escalated: 3,
};

const datesOf = (findings: readonly ReportFinding[], status: FindingStatus, scannedAt: Timestamp | null) => {
  const times = (field: 'discoveredAt' | 'updatedAt' | 'resolvedAt'): readonly Timestamp[] =>
    findings.flatMap((each) => sourceTime(each[field] ?? null) ?? []).toSorted();
  const [named = null] = times('discoveredAt');
  // An advisory may be published after the scan that found it, for example under another id.
  const discoveredAt = named !== null && (scannedAt === null || named < scannedAt) ? named : scannedAt;
  const latest = (field: 'updatedAt' | 'resolvedAt'): Timestamp | null =>
    times(field).findLast((time) => discoveredAt === null || time >= discoveredAt) ?? null;
  return {
    discoveredAt,
    updatedAt: latest('updatedAt'),
    reconciledAt: status === 'resolved' ? latest('resolvedAt') : null,
  };
};

/** A row of a sparse fixture. */
export type ReportedRow = Readonly<Record<string, unknown>>;

/** The fields of a row that are known. */
const known = (row: ReportedRow): ReportedRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

/** A row of `findings` about one finding. `scannedAt`: when its repository was scanned. */
const findingRow = (
  findings: readonly ReportFinding[],
  repo: string,
  scannedAt: Timestamp | null,
): ReportedRow => {
  const first = (field: 'package' | 'ecosystem' | 'installed' | 'prUrl'): string | null =>
    findings.flatMap((each) => each[field] ?? [])[0] ?? null;
  const severity = worstSeverity(findings.flatMap((each) => each.severity ?? []));
  const found = findings.map(({ status = 'pending' }) => status);
  const status = found.toSorted((left, right) => workOf[right] - workOf[left])[0] ?? 'pending';
  const prUrl = first('prUrl');
  const ecosystem = first('ecosystem');
  return known({
    repo,
    advisoryId: preferredId(findings.flatMap(({ ids }) => ids)),
    package: first('package'),
    // A fixture without an ecosystem would be completed with one.
    ecosystem: ecosystem ?? 'unknown',
    ...mergeRanges(findings, ecosystem),
    severity: severity === null ? null : (severityFrom(severity)?.severity ?? null),
    // A pull request says more about the status than that the finding is open.
    status: prUrl !== null && status === 'pending' ? null : status,
    ...datesOf(findings, status, scannedAt),
    pullRequest: prUrl === null ? null : known({ prUrl, fromVersion: first('installed') }),
  });
};

/** A file, its repositories, and how many findings it had first, or another had before. */
export type SummarizedFile = ReadFile &
  Readonly<{ repos: readonly string[]; findings: number; merged: number }>;

/** The rows of a sparse fixture, and what each file contributed. */
export type AssembledRows = Readonly<Record<'repos' | 'scans' | 'findings', readonly ReportedRow[]>> &
  Readonly<{ files: readonly SummarizedFile[] }>;

/** Makes the rows of one tenant of the reports in these files. */
const assembleRows = (files: readonly ReadFile[]): AssembledRows => {
  const { findings: placed, scans } = place(files);
  const scansOf = groupBy(scans, ({ repo }) => repoKey(repo));
  /** A repository under the name that was read first. */
  const nameOf = (repo: string): string => scansOf.get(repoKey(repo))?.[0]?.repo ?? repo;
  const lastScan = (repo: string): Timestamp | null => {
    const times = scansOf.get(repoKey(repo))?.flatMap(({ scannedAt }) => scannedAt ?? []);
    return times?.toSorted().at(-1) ?? null;
  };
  const merged = mergeFindings(placed);
  const findings = merged.map((same) => {
    const repo = nameOf(same[0]?.repo ?? '');
    const found = same.map((each) => each.found);
    return findingRow(found, repo, lastScan(repo));
  });
  const open = findings.filter(({ status }) => status !== 'resolved');
  const openOf = groupBy(open, ({ repo }) => repo);
  const reposOf = groupBy(scans, ({ file }) => file);
  const firstOf = groupBy(merged, ([first]) => first?.file);
  const findingsOf = groupBy(placed, ({ file }) => file);
  const names = Array.from(scansOf.keys(), nameOf);
  return {
    repos: names.map((name) => ({ owner: name.split('/')[0], repo: name.split('/')[1] })),
    scans: names.flatMap((repo) => {
      const [finishedAt, findingsSeen] = [lastScan(repo), openOf.get(repo)?.length ?? 0];
      return finishedAt === null ? [] : [{ repo, finishedAt, findingsSeen }];
    }),
    findings,
    files: files.map((each, file) => {
      const repos = new Set(reposOf.get(file)?.map(({ repo }) => nameOf(repo)));
      const first = firstOf.get(file)?.length ?? 0;
      const merged = (findingsOf.get(file)?.length ?? 0) - first;
      return { ...each, repos: Array.from(repos), findings: first, merged };
    }),
  };
};

/** What the reports say, as a sparse fixture, and the same with everything that they do not say. */
export type AssembledTenant = Readonly<{ sparse: ReportedRow; complete: Dataset; summary: ImportSummary }>;

/** How much one tenant may have: more takes gigabytes of memory to complete. */
const maxima = { entries: 2_000_000, findings: 250_000 };

/**
 * Makes one tenant of the reports in these files, whose user has this name, and whose data is current at
 * `asOf`. `file`: where it will be written; null for standard output. `left`: why it cannot be made.
 */
export const assembleTenant = (
  files: readonly ReadFile[],
  { name, asOf, file }: Readonly<{ name: string; asOf: Timestamp; file: string | null }>,
): E.Either<readonly Problem[], AssembledTenant> => {
  const tooMany = (what: keyof typeof maxima) =>
    E.left([problem([], `the reports have more than ${maxima[what]} ${what}; import fewer files at once`)]);
  const reports = files.flatMap(({ report }) => report.reports);
  if (reports.reduce((sum, { entries }) => sum + entries.length, 0) > maxima.entries)
    return tooMany('entries');
  const rows = assembleRows(files);
  const { repos, scans, findings } = rows;
  if (findings.length > maxima.findings) return tooMany('findings');
  const sparse = { asOf, repos, ...(scans.length === 0 ? {} : { scans }), findings };
  return E.map((complete: Dataset) => {
    return { sparse, complete, summary: importSummary(rows, complete, file) };
  })(E.flatMap(validateDataset)(completeFixture(sparse, name)));
};
