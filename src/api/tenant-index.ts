import { groupBy, groupByEach } from '../common/sort-and-group.js';
import { type PrStatus, prStatusOf } from '../contract/enums.js';
import {
  compareFixDrafts,
  compareOpenPullRequests,
  comparePullRequests,
  compareRepos,
  compareScans,
} from './row-order.js';
import type {
  FixDraftDetails,
  FixDraftRecord,
  PullRequestDetails,
  RepoDetails,
  RepoRecord,
  ScanRecord,
  TenantRows,
} from './row-records.js';
import type { Range, Slice } from './storage-port.js';

/** Which rows of a list are read: the range, and what they have in common. */
type Query = Range & Readonly<{ repoId: string | undefined; status?: PrStatus | undefined }>;

/** One tenant's data, sorted and joined, so that every read of the port is a look-up. */
export type TenantIndex = ReturnType<typeof tenantIndex>;

/** Sorts and joins the rows of a tenant, but for pull requests without their draft or repository. */
export const tenantIndex = ({ repos, scans, fixDrafts, pullRequests }: TenantRows) => {
  const reposById = new Map(repos.map((repo) => [repo.id, repo]));
  const drafts = fixDrafts.toSorted(compareFixDrafts);
  const drafted = new Map(drafts.map((draft) => [draft.id, { draft, prCount: 0 }]));
  const prs: PullRequestDetails[] = [];
  for (const pullRequest of pullRequests.toSorted(comparePullRequests)) {
    const entry = drafted.get(pullRequest.draftId);
    const repo = entry && reposById.get(entry.draft.repoId);
    if (entry === undefined || repo === undefined) continue;
    entry.prCount += 1;
    const { repoId, advisoryId, package: name } = entry.draft;
    prs.push({ pullRequest, draft: { repoId, advisoryId, package: name }, repo });
  }
  const scansOf = groupBy(scans, repoIdOf);
  const draftsOf = groupBy(drafts, repoIdOf);
  const prsOf = groupBy(prs, ({ draft }) => draft.repoId);
  const allRepos = repos.map((repo) =>
    repoDetails(repo, scansOf.get(repo.id) ?? [], draftsOf.get(repo.id) ?? [], prsOf.get(repo.id) ?? []),
  );
  const findingsBy = groupByEach(drafts, ({ repoId }) => [filterKey(undefined), filterKey(repoId)]);
  const prsBy = groupByEach(prs, ({ draft: { repoId }, pullRequest }) => {
    const status = prStatusOf(pullRequest.prState);
    return [filterKey(undefined), filterKey(repoId), filterKey(undefined, status), filterKey(repoId, status)];
  });
  return {
    repos: allRepos.sort(compareRepos),
    findings: (query: Query): Slice<FixDraftRecord> => slice(findingsBy.get(filterKey(query.repoId)), query),
    finding: (id: string): FixDraftDetails | null => drafted.get(id) ?? null,
    prs: (query: Query): Slice<PullRequestDetails> =>
      slice(prsBy.get(filterKey(query.repoId, query.status)), query),
  };
};

const repoIdOf = ({ repoId }: Readonly<{ repoId: string }>): string => repoId;

/** A repository with what is derived from its rows. */
const repoDetails = (
  repo: RepoRecord,
  scans: readonly ScanRecord[],
  drafts: readonly FixDraftRecord[],
  prs: readonly PullRequestDetails[],
): RepoDetails => {
  const open = prs
    .map(({ pullRequest }) => pullRequest)
    .filter(({ prState }) => prStatusOf(prState) === 'open');
  const unresolved = drafts.filter(({ status }) => status !== 'resolved');
  return {
    repo,
    lastScan: firstOf(scans, compareScans) ?? null,
    openPrCount: open.length,
    openFixDraftId: firstOf(open, compareOpenPullRequests)?.draftId ?? null,
    openAdvisoryCount: new Set(unresolved.map(({ advisoryId }) => advisoryId)).size,
  };
};

/** The row that comes first in an order. */
export const firstOf = <Row>(rows: readonly Row[], compare: (left: Row, right: Row) => number) => {
  const [start, ...others] = rows;
  return others.reduce((first, row) => (first !== undefined && compare(row, first) < 0 ? row : first), start);
};

/** Names a filter. The repository comes last, because an id may contain anything. */
const filterKey = (repoId: string | undefined, status?: PrStatus | null): string =>
  repoId === undefined ? `${status}` : `${status} ${repoId}`;

const slice = <Row>(rows: readonly Row[] = [], { offset, limit }: Range): Slice<Row> => ({
  rows: rows.slice(offset, offset + limit),
  total: rows.length,
});
