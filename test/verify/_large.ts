import { type Timestamp, timestampAt } from '../../src/codecs/timestamp.js';
import type { Dataset } from '../../src/records/dataset.js';

const day = 24 * 60 * 60 * 1000;

/** A timestamp some days before, so that the copies of a row are not next to each other. */
const earlier = (timestamp: Timestamp, days: number): Timestamp =>
  timestampAt(Date.parse(timestamp) - days * day);

/** A tenant with copies of its findings and pull requests, until it has so many findings. */
export const enlarged = (tenant: Dataset, findings: number): Dataset => {
  const copies = Array.from({ length: Math.ceil(findings / tenant.fixDrafts.length) }, (_, index) => index);
  const suffix = (copy: number): string => (copy === 0 ? '' : `_copy_${copy}`);
  const fixDrafts = copies
    .flatMap((copy) =>
      tenant.fixDrafts.map((draft) => ({
        ...draft,
        id: `${draft.id}${suffix(copy)}`,
        discoveredAt: earlier(draft.discoveredAt, copy),
      })),
    )
    .slice(0, findings);
  const ids = new Set(fixDrafts.map(({ id }) => id));
  const pullRequests = copies
    .flatMap((copy) =>
      tenant.pullRequests.map((pr) => ({
        ...pr,
        id: `${pr.id}${suffix(copy)}`,
        draftId: `${pr.draftId}${suffix(copy)}`,
        createdAt: earlier(pr.createdAt, copy),
      })),
    )
    .filter(({ draftId }) => ids.has(draftId));
  return { ...tenant, fixDrafts, pullRequests };
};
