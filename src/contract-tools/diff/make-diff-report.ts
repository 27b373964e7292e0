import { groupBy } from '../../common/sort-and-group.js';
import { noSuchRow } from './compare-values.js';
import type { Difference, DiffReport, ReportedDifference } from './diff-report.js';
import type { DiffRun, Sides } from './run-diff.js';

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
