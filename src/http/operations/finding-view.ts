import type { Finding, FindingDetail } from '../../contract/finding.js';
import type { FixDraftDetails, FixDraftRecord } from '../../records/row-records.js';

/** A finding as lists show it (contract, section 2.2): its fix draft, field by field. */
export const findingView = (draft: FixDraftRecord): Finding => draft;

/** A finding in full (contract, section 2.2): as in a list, with the number of its pull requests. */
export const findingDetailView = ({ draft, prCount }: FixDraftDetails): FindingDetail => ({
  ...draft,
  prCount,
});
