import { millisecondsOf, type Timestamp, timestampShift } from '../contract/codecs/timestamp.js';
import type { TenantRows } from './dataset.js';

/** Moves dates, of which some may be null. */
type DateShift = <Date extends Timestamp | null>(date: Date) => Date | Timestamp;

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
): TenantRows =>
  shift === null
    ? { repos, scans, fixDrafts, pullRequests }
    : {
        repos,
        scans: shiftDates(scans, ['startedAt', 'finishedAt'], shift),
        fixDrafts: shiftDates(fixDrafts, ['discoveredAt', 'updatedAt', 'reconciledAt'], shift),
        pullRequests: shiftDates(pullRequests, ['createdAt', 'updatedAt', 'reconciledAt'], shift),
      };

/** Copies of rows with these dates moved. A copy made by a spread takes 450 bytes more once it is frozen. */
const shiftDates = <Key extends string, Row extends Readonly<Record<Key, Timestamp | null>>>(
  rows: readonly Row[],
  dates: readonly Key[],
  shift: DateShift,
): readonly Row[] =>
  rows.map((row) => {
    const copy = Object.assign({}, row);
    for (const date of dates) Reflect.set(copy, date, shift(row[date]));
    return copy;
  });
