import type * as t from 'io-ts';
import { Described, Nullable } from '../contract/codecs/combinators.js';
import { millisecondsOf, Timestamp, timestampShift, UtcTime } from '../contract/codecs/timestamp.js';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord, type TenantRows } from './row-records.js';

/** The fields of a record that are dates, or null. */
type DateOf<Row> = { [K in keyof Row]: Row[K] extends Timestamp | null ? K : never }[keyof Row];

/** Whether a codec is that of a moment, or of one or null. */
export const isDate = (codec: t.Mixed | undefined): boolean =>
  codec === UtcTime ||
  codec === Timestamp ||
  ((codec instanceof Described || codec instanceof Nullable) && isDate(codec.codec));

const datesOf = <P extends t.Props>(props: P): readonly DateOf<t.TypeOfProps<P>>[] =>
  Object.keys(props).filter((field): field is DateOf<t.TypeOfProps<P>> & string => isDate(props[field]));

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
        repos: shiftDates(repos, datesOf(RepoRecord.props), shift),
        scans: shiftDates(scans, datesOf(ScanRecord.props), shift),
        fixDrafts: shiftDates(fixDrafts, datesOf(FixDraftRecord.props), shift),
        pullRequests: shiftDates(pullRequests, datesOf(PullRequestRecord.props), shift),
      };

/** Copies of rows with these dates moved. */
const shiftDates = <Key extends string, Row extends Readonly<Record<Key, Timestamp | null>>>(
  rows: readonly Row[],
  dates: readonly Key[],
  shift: DateShift,
): readonly Row[] =>
  rows.map((row) => {
    const copy = { ...row };
    for (const date of dates) Reflect.set(copy, date, shift(row[date]));
    return copy;
  });
