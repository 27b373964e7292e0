import type { Redact } from '../client/redact-secrets.js';
import { truncate } from '../client/truncate.js';
import { groupBy } from '../common/group-by.js';
import type { DiffReport, ReportedDifference } from './diff-report.js';
import type { Difference } from './difference.js';
import type { DiffRun } from './run-diff.js';

/** A comparison as a report; secrets are taken out, and differences that show in several requests told once. */
export const makeDiffReport = (
  { compared, differences, stopped }: DiffRun,
  { left, right }: Readonly<{ left: string; right: string }>,
  redact: Redact,
): DiffReport => {
  const all = Array.from(grouped(differences).values(), ([first, ...more]) =>
    first === undefined ? [] : [reported(first, [first, ...more], redact)],
  ).flat();
  return {
    left: redact(left),
    right: redact(right),
    compared,
    stopped: stopped === null ? null : redact(stopped),
    differences: all.filter(({ kind }) => kind !== 'note'),
    notes: all.filter(({ kind }) => kind === 'note'),
  };
};

const grouped = (differences: readonly Difference[]): ReadonlyMap<string, readonly Difference[]> =>
  groupBy(differences, ({ kind, where, left, right }) => JSON.stringify([kind, where, left, right]));

const reported = (
  { kind, where, left, right }: Difference,
  all: readonly Difference[],
  redact: Redact,
): ReportedDifference => ({
  kind,
  where: redact(where),
  left: truncate(redact(left)),
  right: truncate(redact(right)),
  requests: all.map(({ request }) => redact(request)),
});
