import type { Redact } from '../client/redact-secrets.js';
import { truncate } from '../client/redact-secrets.js';
import { groupBy } from '../common/group-by.js';
import type { Difference, DiffReport, ReportedDifference } from './diff-report.js';
import type { DiffRun, Sides } from './run-diff.js';

/**
 * The report of a run. Secrets are redacted, and a difference that several requests show is reported once.
 */
export const makeDiffReport = (
  { compared, differences, stopped }: DiffRun,
  urls: Sides<string>,
  redact: Redact,
): DiffReport => {
  const groups = groupBy(differences, ({ kind, where, left, right }) =>
    JSON.stringify([kind, where, left, right]),
  );
  const reported = Array.from(groups.values()).flatMap((group) => reportGroup(group, redact));
  return {
    left: redact(urls.left),
    right: redact(urls.right),
    compared,
    stopped: stopped === null ? null : redact(stopped),
    differences: reported.filter(({ kind }) => kind !== 'note'),
    notes: reported.filter(({ kind }) => kind === 'note'),
  };
};

const reportGroup = (group: readonly Difference[], redact: Redact): readonly ReportedDifference[] =>
  group.slice(0, 1).map(({ kind, where, left, right }) => ({
    kind,
    where: redact(where),
    // Redacted first: half a secret would not be recognized.
    left: truncate(redact(left)),
    right: truncate(redact(right)),
    requests: group.map(({ request }) => redact(request)),
  }));
