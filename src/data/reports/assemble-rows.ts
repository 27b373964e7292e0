import * as E from '#fp-ts/Either';
import { groupBy } from '../../common/sort-and-group.js';
import type { Timestamp } from '../../contract/codecs/timestamp.js';
import { mergeFindings, type PlacedFinding, type SameFinding } from './merge-findings.js';
import type { FileReport } from './read-report.js';
import { repoNameOfFile } from './repo-name.js';
import { sourceTime } from './source-time.js';
import { type SparseRow, sparseRow } from './sparse-finding.js';

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
export const assembleRows = (files: readonly ReadFile[]): AssembledRows => {
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
