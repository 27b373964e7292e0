import * as t from 'io-ts';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';

/** One difference, with all requests that show it. */
export const ReportedDifference = t.strict(
  {
    /** `note`: the data may be the reason, so it does not count as a difference. */
    kind: t.keyof(
      { status: null, header: null, shape: null, value: null, note: null },
      'one of status, header, shape, value, note',
    ),
    /** The name of the header, or the path inside the body; empty for the status. */
    where: t.string,
    left: t.string,
    right: t.string,
    requests: listOf(t.string),
  },
  'ReportedDifference',
);
export type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

/** One difference between the responses to one request. */
export type Difference = Omit<ReportedDifference, 'requests'> & Readonly<{ request: string }>;

/** The report of `diff`, as it is written as JSON. */
export const DiffReport = t.strict(
  {
    left: t.string,
    right: t.string,
    /** How many requests both servers have answered. */
    compared: Integer,
    /** Why the run ended early; null if it did not. */
    stopped: nullable(t.string),
    differences: listOf(ReportedDifference),
    notes: listOf(ReportedDifference),
  },
  'DiffReport',
);
export type DiffReport = t.TypeOf<typeof DiffReport>;

/** Whether both servers answered every request, and in the same way. */
export const isEqual = ({ differences, stopped }: DiffReport): boolean =>
  differences.length === 0 && stopped === null;
