import type { Finding, FindingDetail } from '../contract/finding.js';
import type { FixDraftDetails } from '../records/details.js';
import type { FixDraftRecord } from '../records/fix-draft.js';

/** A finding as lists show it (contract, section 2.2), in the contract's order whatever that of the storage. */
export const findingView = (draft: FixDraftRecord): Finding => ({
  id: draft.id,
  repoId: draft.repoId,
  advisoryId: draft.advisoryId,
  package: draft.package,
  ecosystem: draft.ecosystem,
  vulnerableRange: draft.vulnerableRange,
  fixedRange: draft.fixedRange,
  severity: draft.severity,
  reachability: draft.reachability,
  exploitSignal: draft.exploitSignal,
  status: draft.status,
  ciStatus: draft.ciStatus,
  discoveredAt: draft.discoveredAt,
  updatedAt: draft.updatedAt,
  reconciledAt: draft.reconciledAt,
});

/** A finding in full (contract, section 2.2): as in a list, and the number of its pull requests. */
export const findingDetailView = ({ draft, prCount }: FixDraftDetails): FindingDetail => ({
  ...findingView(draft),
  prCount,
});
