import { millisecondsOf, type Timestamp } from '../codecs/timestamp.js';
import { timestampShift } from '../codecs/timestamp-arithmetic.js';
import type { Dataset, TenantRows } from '../records/dataset.js';

/**
 * The rows of a dataset with their dates as far before `asOf` as they are before the dataset's own. Without
 * either moment they stay as they are.
 */
export const withDatesAsOf = (dataset: Dataset, asOf: Timestamp | undefined): TenantRows => {
  const { repos, scans, fixDrafts, pullRequests } = dataset;
  const rows = { repos, scans, fixDrafts, pullRequests };
  if (asOf === undefined || dataset.asOf === undefined || asOf === dataset.asOf) return rows;
  const shift = timestampShift(millisecondsOf(asOf) - millisecondsOf(dataset.asOf));
  const shiftNullable = (timestamp: Timestamp | null): Timestamp | null =>
    timestamp === null ? null : shift(timestamp);
  return {
    repos,
    scans: scans.map((scan) => ({
      ...scan,
      startedAt: shift(scan.startedAt),
      finishedAt: shift(scan.finishedAt),
    })),
    fixDrafts: fixDrafts.map((draft) => ({
      ...draft,
      discoveredAt: shift(draft.discoveredAt),
      updatedAt: shift(draft.updatedAt),
      reconciledAt: shiftNullable(draft.reconciledAt),
    })),
    pullRequests: pullRequests.map((each) => ({
      ...each,
      createdAt: shift(each.createdAt),
      updatedAt: shift(each.updatedAt),
      reconciledAt: shiftNullable(each.reconciledAt),
    })),
  };
};
