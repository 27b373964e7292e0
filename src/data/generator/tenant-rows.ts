import type { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../records/row-records.js';
import { findingRow } from './finding-row.js';
import { pullRequestRows } from './pull-requests.js';
import { planRepo, type RepoPlan } from './repo-plan.js';
import { repoRow } from './repo-row.js';
import { scanRows } from './scans.js';
import { storiesOf } from './story.js';
import { planTenant, type TenantPlan } from './tenant-plan.js';
import type { TenantSpec } from './tenant-spec.js';

/**
 * The rows of a tenant. Each is generated when it is asked for, so that they need not be in memory together;
 * each collection can be walked through several times, and is the same each time.
 */
export type LazyRows = Readonly<{
  repos: Iterable<RepoRecord>;
  scans: Iterable<ScanRecord>;
  fixDrafts: Iterable<FixDraftRecord>;
  pullRequests: Iterable<PullRequestRecord>;
}>;

export const tenantRows = (spec: TenantSpec): LazyRows => {
  const plan = planTenant(spec);
  return {
    repos: { [Symbol.iterator]: () => repos(plan) },
    scans: { [Symbol.iterator]: () => scans(plan) },
    fixDrafts: { [Symbol.iterator]: () => fixDrafts(plan) },
    pullRequests: { [Symbol.iterator]: () => pullRequests(plan) },
  };
};

function* repoPlans(plan: TenantPlan): Generator<RepoPlan> {
  for (let index = 0; index < plan.spec.repos; index += 1) yield planRepo(plan, index);
}

function* repos(plan: TenantPlan): Generator<RepoRecord> {
  for (const repo of repoPlans(plan)) yield repoRow(plan, repo);
}

function* scans(plan: TenantPlan): Generator<ScanRecord> {
  let count = 0;
  for (const repo of repoPlans(plan)) {
    yield* scanRows(plan, repo, count);
    count += repo.scans.length;
  }
}

function* fixDrafts(plan: TenantPlan): Generator<FixDraftRecord> {
  for (const repo of repoPlans(plan))
    for (const story of storiesOf(plan, repo)) yield findingRow(plan, repo, story);
}

function* pullRequests(plan: TenantPlan): Generator<PullRequestRecord> {
  let count = 0;
  for (const repo of repoPlans(plan))
    for (const story of storiesOf(plan, repo, (prCount) => prCount > 0)) {
      yield* pullRequestRows(plan, repo, story, count);
      count += story.prCount;
    }
}
