import * as t from 'io-ts';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';

/** `note`: the data may be the reason, so it does not count as a difference. */
const DifferenceKind = t.keyof(
  { status: null, header: null, shape: null, value: null, note: null },
  'one of status, header, shape, value, note',
);

/** One kind of difference, with an example and all requests that show it; the first one has the example. */
export const ReportedDifference = t.strict(
  {
    kind: DifferenceKind,
    /** The name of the header, or the path inside the body, with `*` for any item; empty for the status. */
    where: t.string,
    /** How many values or, of the other kinds, how many responses differ in this way. */
    count: Integer,
    /** The place of the example: the path of one value. As `where` for all other kinds. */
    at: t.string,
    /** The example: what each server sends there. */
    left: t.string,
    right: t.string,
    requests: listOf(t.string),
  },
  'ReportedDifference',
);
export type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

/** One kind of difference between the responses to one request, without secrets. */
export type Difference = Omit<ReportedDifference, 'requests'> &
  Readonly<{
    request: string;
    /** The status of the response on the left. */
    status: number;
  }>;

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
