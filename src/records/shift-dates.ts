import { millisecondsOf, type Timestamp, timestampShift } from '../contract/codecs/timestamp.js';
import type { TenantRows } from './dataset.js';

/** Moves dates, of which some may be null. */
export type DateShift = <Date extends Timestamp | null>(date: Date) => Date | Timestamp;

/** Moves dates by the time from `asOf` to `moment`, in milliseconds; null: without `asOf`, dates stay. */
export const dateShift = (asOf: Timestamp | undefined, moment: number): DateShift | null => {
  if (asOf === undefined) return null;
  const shift = timestampShift(Math.trunc(moment) - millisecondsOf(asOf));
  return (date) => (date === null ? date : shift(date));
};

/** Rows with all of their dates moved. The rows that were given stay as they are. */
export const shiftRows = (
  { repos, scans, fixDrafts, pullRequests }: TenantRows,
  shift: DateShift | null,
): TenantRows => {
  if (shift === null) return { repos, scans, fixDrafts, pullRequests };
  return {
    repos,
    scans: scans.map((scan) =>
      withDates(scan, { startedAt: shift(scan.startedAt), finishedAt: shift(scan.finishedAt) }),
    ),
    fixDrafts: fixDrafts.map((draft) =>
      withDates(draft, {
        discoveredAt: shift(draft.discoveredAt),
        updatedAt: shift(draft.updatedAt),
        reconciledAt: shift(draft.reconciledAt),
      }),
    ),
    pullRequests: pullRequests.map((pullRequest) =>
      withDates(pullRequest, {
        createdAt: shift(pullRequest.createdAt),
        updatedAt: shift(pullRequest.updatedAt),
        reconciledAt: shift(pullRequest.reconciledAt),
      }),
    ),
  };
};

/** A copy of a row. A copy made by a spread takes 450 bytes more in V8 once it is frozen. */
const withDates = <Row extends object>(row: Row, dates: Partial<Row>): Row => Object.assign({}, row, dates);
