import type { Finding } from '../contract/finding.js';
import type { Pr } from '../contract/pr.js';
import type { Repo } from '../contract/repo.js';
import type { TenantRows } from '../records/dataset.js';
import type { PullRequestRecord } from '../records/pull-request.js';
import type { RepoRecord } from '../records/repo.js';
import type { ScanRecord } from '../records/scan.js';
import type { Answers } from './answers.js';
import { numberPullRequests } from './number-pull-requests.js';

/** What stands in the free-form fields of a repository that findings name and the server does not list. */
export const notListed = 'not listed';

/** The ids of pull requests for which no finding is listed, each once. */
export const missingFindings = ({ findings, prs }: Answers): readonly string[] => {
  const listed = new Set(findings.map(({ id }) => id));
  return Array.from(new Set(prs.map(({ id }) => id))).filter((id) => !listed.has(id));
};

/**
 * The records behind answers; `found` are findings that the list does not have. A pull request without a finding is left out:
 * what it does not show of one (severity, status, scores) nobody could make up. A repository that is not listed is made up.
 */
export const rowsOf = ({ repos, findings, prs }: Answers, found: readonly Finding[]): TenantRows => {
  const fixDrafts = [...findings, ...found];
  const repoIdOf = new Map(fixDrafts.map(({ id, repoId }) => [id, repoId]));
  const withFinding = prs.filter(({ id }) => repoIdOf.has(id));
  const ids = numberPullRequests(withFinding, repos);
  return {
    repos: [...repos.map(repoRecord), ...unlistedRepos(repos, fixDrafts, prs)],
    scans: scansOf(repos),
    fixDrafts,
    pullRequests: withFinding.map((pr, index) => pullRequestRecord(pr, ids[index] ?? '')),
  };
};

const repoRecord = (repo: Repo): RepoRecord => ({
  id: repo.id,
  owner: repo.owner,
  repo: repo.repo,
  defaultBranch: repo.defaultBranch,
  isDemoRow: repo.isDemoRow,
  scanStatusBadge: repo.scanStatusBadge,
  status: repo.status,
});

const unlistedRepos = (
  repos: readonly Repo[],
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

/** The last scans. The contract does not say that no two repositories share one, and ids of records are unique. */
const scansOf = (repos: readonly Repo[]): readonly ScanRecord[] => {
  const used = new Set<string>();
  return repos.flatMap(({ id: repoId, lastScan }) => {
    if (lastScan === null) return [];
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
