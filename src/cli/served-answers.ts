import { findingView } from '../api/finding-view.js';
import { prView } from '../api/pr-view.js';
import { repoView } from '../api/repo-view.js';
import type { TenantLists } from '../recorder/tenant-lists.js';
import type { TenantRows } from '../records/dataset.js';
import { indexTenant } from '../storage/fixtures/tenant-index.js';

/** What `serve` answers over these rows, by the very code that does: all lists, without the words that depend on the clock. */
export const servedAnswers = (rows: TenantRows): TenantLists => {
  const { repos, findings, prs } = indexTenant(rows);
  return {
    repos: repos.map((facts) => repoView(facts, '')),
    findings: findings.all.map(findingView),
    prs: prs.all.map(prView),
  };
};
