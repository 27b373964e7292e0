import { findingView } from '../../api/finding-view.js';
import { prView } from '../../api/pr-view.js';
import { repoView } from '../../api/repo-view.js';
import type { TenantLists } from '../../recorder/tenant-lists.js';
import type { TenantRows } from '../../records/dataset.js';
import { indexTenant } from '../../storage/fixtures/tenant-index.js';

/**
 * The lists that `serve` returns for these rows, built by the same code, so that the two cannot drift apart.
 * The relative time of a scan is left empty, because it depends on the clock.
 */
export const listsServedFor = (rows: TenantRows): TenantLists => {
  const { repos, findings, prs } = indexTenant(rows);
  return {
    repos: repos.map((repo) => repoView(repo, '')),
    findings: findings.all.map(findingView),
    prs: prs.all.map(prView),
  };
};
