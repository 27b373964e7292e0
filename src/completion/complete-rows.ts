import { millisecondsOf, type Timestamp } from '../codecs/timestamp.js';
import { groupBy } from '../common/group-by.js';
import type { TenantRows } from '../records/dataset.js';
import { completeFinding } from './complete-finding.js';
import { completeRepo, isFailing, isNeverScanned } from './complete-repo.js';
import { completeScan, isFinished, madeFailure, madeScan } from './complete-scan.js';
import { latest } from './dates.js';
import type { FixtureFile } from './fixture-file.js';
import type { Links } from './link-rows.js';
import { repoHistory } from './repo-history.js';

/**
 * All rows of a fixture, complete: those that the author has written, each at its index, and then those that
 * were missing. For the repositories `scanned` no scan is made.
 */
export const completeRows = (
  file: FixtureFile,
  links: Links,
  { asOf, scanned }: Readonly<{ asOf: Timestamp; scanned: ReadonlySet<string> }>,
): TenantRows => {
  const findingRows = [...file.fixDrafts, ...file.findings];
  const own = findingRows.flatMap(({ pullRequest }) => (pullRequest === undefined ? [] : [pullRequest]));
  const pullRequestRows = [...file.pullRequests, ...own];
  const linkedPullRequests = links.pullRequests.flatMap((link, i) => {
    const row = pullRequestRows[i];
    return row === undefined ? [] : [{ ...link, row }];
  });
  const pullRequestsOf = groupBy(linkedPullRequests, ({ draftId }) => draftId);
  const repoById = new Map(links.repos.map((repo) => [repo.id, repo]));

  const families = links.findings.flatMap((link, i) => {
    const row = findingRows[i];
    const repo = repoById.get(link.repoId);
    if (row === undefined || repo === undefined) return [];
    const pullRequests = pullRequestsOf.get(link.id) ?? [];
    return [completeFinding({ id: link.id, repoId: link.repoId, row }, { pullRequests, repo, asOf })];
  });
  const fixDrafts = families.map(({ finding }) => finding);
  const completed = new Map(
    families.flatMap(({ pullRequests }) => pullRequests.map((each) => [each.id, each] as const)),
  );
  const pullRequests = links.pullRequests.flatMap(({ id }) => completed.get(id) ?? []);

  const draftsOf = groupBy(fixDrafts, ({ repoId }) => repoId);
  const histories = new Map(links.repos.map(({ id }) => [id, repoHistory(draftsOf.get(id) ?? [])]));
  const noHistory = repoHistory([]);
  const givenScans = links.scans.flatMap((link, i) => {
    const row = file.scans[i];
    return row === undefined
      ? []
      : [completeScan({ ...link, row }, histories.get(link.repoId) ?? noHistory, asOf)];
  });
  const givenScansOf = groupBy(givenScans, ({ repoId }) => repoId);
  const madeScans = links.repos.flatMap(({ id, index }) => {
    const others = givenScansOf.get(id) ?? [];
    const row = index === null ? undefined : file.repos[index];
    if (scanned.has(id) || others.some(isFinished) || (others.length === 0 && isNeverScanned(row))) return [];
    const discoveries = (draftsOf.get(id) ?? []).map(({ discoveredAt }) => millisecondsOf(discoveredAt));
    const lastDiscovery = latest(discoveries);
    const made = madeScan(id, others, histories.get(id) ?? noHistory, { asOf, lastDiscovery });
    return others.length === 0 && isFailing(row) ? [made, madeFailure(made, asOf)] : [made];
  });
  const scans = [...givenScans, ...withFreeIds(madeScans, givenScans)];
  const scansOf = groupBy(scans, ({ repoId }) => repoId);
  const repos = links.repos.map((repo) =>
    completeRepo(
      repo,
      repo.index === null ? undefined : file.repos[repo.index],
      scansOf.get(repo.id) ?? [],
      draftsOf.get(repo.id) ?? [],
    ),
  );
  return { repos, scans, fixDrafts, pullRequests };
};

/** Rows whose ids are none of those that other rows have. */
const withFreeIds = <A extends Readonly<{ id: string }>>(
  made: readonly A[],
  given: readonly A[],
): readonly A[] => {
  const taken = new Set(given.map(({ id }) => id));
  return made.map((row) => {
    let id = row.id;
    while (taken.has(id)) id = `${id}_`;
    taken.add(id);
    return { ...row, id };
  });
};
