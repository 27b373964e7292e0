import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { FixDraftRecord } from '../../records/row-records.js';
import { rowId } from './ids.js';
import type { RepoPlan } from './repo-plan.js';
import type { Story } from './story.js';
import type { TenantPlan } from './tenant-plan.js';

export const findingRow = ({ spec, rules }: TenantPlan, repo: RepoPlan, story: Story): FixDraftRecord => {
  const { advisory, reconciledAt } = story;
  const row: FixDraftRecord = {
    id: rowId(spec, 'fix', story.index),
    repoId: repo.id,
    advisoryId: advisory.advisoryId,
    package: advisory.package,
    ecosystem: advisory.ecosystem,
    vulnerableRange: advisory.vulnerableRange,
    fixedRange: advisory.fixedRange,
    severity: advisory.severity,
    reachability: story.reachability,
    exploitSignal: story.exploitSignal,
    status: story.status,
    ciStatus: story.ciStatus,
    discoveredAt: timestampAt(story.discoveredAt),
    updatedAt: timestampAt(story.updatedAt),
    reconciledAt: reconciledAt === null ? null : timestampAt(reconciledAt),
  };
  return rules.quirks.finding(row, story.index);
};
