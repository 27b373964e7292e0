import type { RepoRecord } from '../../records/row-records.js';
import { pullRequestRows } from './pull-requests.js';
import { at, type NonEmpty } from './random.js';
import type { RepoPlan } from './repo-plan.js';
import type { Triage } from './rules/rules.js';
import { storiesOf } from './story.js';
import type { TenantPlan } from './tenant-plan.js';

const branches: NonEmpty<string> = ['main', 'main', 'main', 'master', 'main', 'develop', 'main', 'trunk'];

export const repoRow = (plan: TenantPlan, repo: RepoPlan): RepoRecord => {
  const { index, id, owner, name, kind } = repo;
  const row: RepoRecord = {
    id,
    owner,
    repo: name,
    defaultBranch: at(branches, index),
    ...plan.rules.labels(index, kind, () => triageOf(plan, repo)),
  };
  return plan.rules.quirks.repo(row, index);
};

/** So many findings tell enough of a repository, however many it has. */
const maxLookedAt = 300;

const triageOf = (plan: TenantPlan, repo: RepoPlan): Triage => {
  let [hasOpenPr, isDrafting] = [false, false];
  for (const story of storiesOf(plan, { ...repo, end: Math.min(repo.end, repo.first + maxLookedAt) })) {
    if (story.status === 'pending' || story.status === 'escalated') return { needsReview: true, hasOpenPr };
    isDrafting ||= story.status === 'drafting';
    for (const { prState } of pullRequestRows(plan, repo, story, 0)) hasOpenPr ||= prState === 'open';
  }
  return { needsReview: isDrafting && !hasOpenPr, hasOpenPr };
};
