import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { ScanRecord } from '../../records/row-records.js';
import { rowId } from './ids.js';
import type { RepoPlan } from './repo-plan.js';
import { storiesOf } from './story.js';
import type { TenantPlan } from './tenant-plan.js';

type Counts = { findingsSeen: number; draftsOpened: number };

/**
 * The scans of a repository, the last one first. Their counts are those of the findings: a scan opens the
 * drafts of what it discovers, and sees what it or an earlier one has discovered and nobody has resolved.
 */
export const scanRows = (plan: TenantPlan, repo: RepoPlan, firstIndex: number): readonly ScanRecord[] => {
  const counts = countFindings(plan, repo);
  return repo.scans.map(({ startedAt, finishedAt, status, error }, scan) => {
    const { findingsSeen = 0, draftsOpened = 0 } = counts[scan] ?? {};
    const row: ScanRecord = {
      id: rowId(plan.spec, 'scan', firstIndex + scan),
      repoId: repo.id,
      startedAt: timestampAt(startedAt),
      finishedAt: timestampAt(finishedAt),
      status,
      findingsSeen: status === 'failed' ? 0 : findingsSeen,
      draftsOpened,
      error,
    };
    return plan.rules.quirks.scan(row, firstIndex + scan);
  });
};

const countFindings = (plan: TenantPlan, repo: RepoPlan): readonly Counts[] => {
  const counts = repo.scans.map((): Counts => ({ findingsSeen: 0, draftsOpened: 0 }));
  for (const { scan: discoverer, status, updatedAt } of storiesOf(plan, repo)) {
    for (const [scan, count] of counts.entries()) {
      if (scan > discoverer) break;
      if (scan === discoverer) count.draftsOpened += 1;
      const isGone = status === 'resolved' && updatedAt <= (repo.scans[scan]?.startedAt ?? 0);
      if (!isGone) count.findingsSeen += 1;
    }
  }
  return counts;
};
