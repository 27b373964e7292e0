import * as t from 'io-ts';
import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { noSuchRow } from './compare-bodies.js';
import type { DiffRun, Sides } from './diff.js';

/** `note`: the data may be the reason, so it does not count as a difference. */
const DifferenceKind = t.keyof(
  { status: null, header: null, shape: null, value: null, note: null },
  'one of status, header, shape, value, note',
);

/** One kind of difference, with an example and all requests that show it; the first one has the example. */
const ReportedDifference = t.strict(
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
type ReportedDifference = t.TypeOf<typeof ReportedDifference>;

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

/** The report of a run, in which each kind of difference stands once, whichever requests show it. */
export const makeDiffReport = (
  { compared, differences, stopped }: DiffRun,
  urls: Sides<string>,
): DiffReport => {
  const groups = Array.from(groupBy(differences, groupKey).values());
  const reported = groups.flatMap(reportGroup);
  return {
    left: urls.left,
    right: urls.right,
    compared,
    stopped,
    differences: reported.filter(({ kind }) => kind !== 'note'),
    notes: reported.filter(({ kind }) => kind === 'note'),
  };
};

/**
 * Differences of the same kind. Values are of the same kind if they are at the same place of responses with
 * the same status, whatever they are; all others, only if the two sides are the same as well.
 */
const groupKey = ({ kind, where, left, right, status }: Difference): string =>
  JSON.stringify(
    kind === 'value'
      ? [kind, where, status, left === noSuchRow, right === noSuchRow]
      : [kind, where, left, right],
  );

const reportGroup = (group: readonly Difference[]): readonly ReportedDifference[] =>
  group.slice(0, 1).map(({ request: _request, status: _status, ...example }) => ({
    ...example,
    count: group.reduce((sum, { count }) => sum + count, 0),
    requests: group.map(({ request }) => request),
  }));

/** How many requests are named for one difference. */
const maxRequests = 3;

/** The report of `diff` for people, line by line. */
export const diffText = (report: DiffReport): readonly string[] => [
  ...section('Differences', report.differences),
  ...section('Possibly due to the data', report.notes),
  ...[
    `${report.compared} requests compared: ${conclusion(report)}`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
  ].map(escapeControlCharacters),
];

const conclusion = (report: DiffReport): string => {
  const { length } = report.differences;
  if (length > 0) return `${length} difference${length === 1 ? '' : 's'}`;
  return isEqual(report) ? 'no differences' : 'no differences so far';
};

const section = (title: string, differences: readonly ReportedDifference[]): readonly string[] =>
  differences.length === 0
    ? []
    : [title, ...differences.flatMap(lines).map((line) => `  ${escapeControlCharacters(line)}`), ''];

const lines = ({ requests, ...difference }: ReportedDifference): readonly string[] => [
  headline(difference),
  ...requests.slice(0, maxRequests).map((request) => `  ${request}`),
  ...(requests.length > maxRequests ? [`  and ${requests.length - maxRequests} more`] : []),
];

const headline = ({ kind, where, count, at, left, right }: Omit<ReportedDifference, 'requests'>): string => {
  const example = `${left} on the left, ${right} on the right`;
  if (kind === 'value' && count > 1) return `value ${where}: ${count} differ, such as ${at}: ${example}`;
  return `${kind}${at === '' ? '' : ` ${at}`}: ${example}`;
};
