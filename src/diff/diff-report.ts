import * as t from 'io-ts';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';

/** One difference, with all the requests that show it. */
export const ReportedDifference = t.strict(
  {
    kind: t.keyof(
      { status: null, header: null, shape: null, value: null, note: null },
      'one of status, header, shape, value, note',
    ),
    where: t.string,
    left: t.string,
    right: t.string,
    requests: listOf(t.string),
  },
  'ReportedDifference',
);
export type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

/** What `diff` found, as its JSON file has it. */
export const DiffReport = t.strict(
  {
    left: t.string,
    right: t.string,
    /** How many requests both servers have answered. */
    compared: Integer,
    /** Why they could not be asked to the end; null where they were. */
    stopped: nullable(t.string),
    differences: listOf(ReportedDifference),
    /** What may be due to the data alone: it makes no difference. */
    notes: listOf(ReportedDifference),
  },
  'DiffReport',
);
export type DiffReport = t.TypeOf<typeof DiffReport>;

/** Whether both servers answered everything, and in the same way. */
export const isEqual = ({ differences, stopped }: DiffReport): boolean =>
  differences.length === 0 && stopped === null;
