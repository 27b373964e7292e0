import type { Finding } from '../../contract/finding.js';
import type { LenientRepo } from '../../contract/lenient.js';
import type { Pr } from '../../contract/pr.js';
import type { TenantRows } from '../../records/dataset.js';
import type { PullRequestRecord, RepoRecord, ScanRecord } from '../../records/row-records.js';
import { assignPullRequestIds } from './assign-pull-request-ids.js';
import type { TenantLists } from './tenant-lists.js';

/**
 * Placeholder in the free-form fields of a repository that findings refer to but the server does not list.
 */
const notListed = 'not listed';

/** The ids of findings that pull requests refer to but the server does not list, each once. */
export const unlistedFindingIds = ({ findings, prs }: TenantLists): readonly string[] => {
  const listed = new Set(findings.map(({ id }) => id));
  return Array.from(new Set(prs.map(({ id }) => id))).filter((id) => !listed.has(id));
};

/**
 * The rows of a fixture file that serves these lists. `unlisted` are findings that were fetched by id. A pull
 * request without a finding is left out, since nobody can invent the finding's severity or scores. An
 * unlisted repository gets placeholders.
 */
export const rowsFromLists = (
  { repos, findings, prs }: TenantLists,
  unlisted: readonly Finding[],
): TenantRows => {
  const fixDrafts = [...findings, ...unlisted];
  const findingIds = new Set(fixDrafts.map(({ id }) => id));
  const prsWithFinding = prs.filter(({ id }) => findingIds.has(id));
  const ids = assignPullRequestIds(prsWithFinding, repos);
  return {
    repos: [...repos.map(repoRecord), ...placeholderRepos(repos, fixDrafts, prs)],
    scans: lastScans(repos),
    fixDrafts,
    pullRequests: prsWithFinding.map((pr, index) => pullRequestRecord(pr, ids[index] ?? '')),
  };
};

const repoRecord = (repo: LenientRepo): RepoRecord => ({
  id: repo.id,
  owner: repo.owner,
  repo: repo.repo,
  defaultBranch: repo.defaultBranch,
  isDemoRow: repo.isDemoRow,
  scanStatusBadge: repo.scanStatusBadge,
  status: repo.status,
});

const placeholderRepos = (
  repos: readonly LenientRepo[],
  fixDrafts: readonly Finding[],
  prs: readonly Pr[],
): readonly RepoRecord[] => {
  const listed = new Set(repos.map(({ id }) => id));
  const missing = new Set(fixDrafts.map(({ repoId }) => repoId).filter((id) => !listed.has(id)));
  const names = new Map(prs.map(({ repoId, repo }) => [repoId, repo]));
  return Array.from(missing, (id) => ({
    id,
    owner: names.get(id)?.owner ?? notListed,
    repo: names.get(id)?.repo ?? id,
    defaultBranch: notListed,
    isDemoRow: false,
    scanStatusBadge: notListed,
    status: notListed,
  }));
};

/**
 * Scan ids must be unique in a fixture file, but the contract lets two repositories show the same scan. A
 * `lastScan` that never started is no scan: a scan in a file has its timestamps.
 */
const lastScans = (repos: readonly LenientRepo[]): readonly ScanRecord[] => {
  const used = new Set<string>();
  return repos.flatMap(({ id: repoId, lastScan }) => {
    if (lastScan === null || lastScan.startedAt === null) return [];
    const id = used.has(lastScan.id) ? `${lastScan.id} of ${repoId}` : lastScan.id;
    used.add(id);
    return [
      {
        id,
        repoId,
        startedAt: lastScan.startedAt,
        finishedAt: lastScan.finishedAt,
        status: lastScan.status,
        findingsSeen: lastScan.findingsSeen,
        draftsOpened: lastScan.draftsOpened,
        error: lastScan.error,
      },
    ];
  });
};

const pullRequestRecord = (pr: Pr, id: string): PullRequestRecord => ({
  id,
  draftId: pr.id,
  fromVersion: pr.fromVersion,
  toVersion: pr.toVersion,
  branch: pr.branch,
  hasCodemod: pr.hasCodemod,
  codemodSummary: pr.codemodSummary,
  ciStatus: pr.ciStatus,
  prUrl: pr.prUrl,
  prState: pr.prState,
  createdAt: pr.createdAt,
  updatedAt: pr.updatedAt,
  reconciledAt: pr.reconciledAt,
});
