import type { TenantLists } from '../../contract-tools/record/read-lists.js';
import { findingView, prView, repoView } from '../../http/operations/views.js';
import type { TenantRows } from '../../records/dataset.js';
import { tenantIndex } from '../../storage/memory/tenant-index.js';

/**
 * The lists that `serve` returns for these rows, built by the same code, so that the two cannot drift apart.
 * The relative time of a scan is left empty, because it depends on the clock.
 */
export const listsServedFor = (rows: TenantRows): TenantLists => {
  const { repos, findings, prs } = tenantIndex(rows);
  const all = { repoId: undefined, status: undefined, offset: 0, limit: Number.MAX_SAFE_INTEGER };
  return {
    repos: repos.map((repo) => repoView(repo, '')),
    findings: findings(all).rows.map(findingView),
    prs: prs(all).rows.map(prView),
  };
};
