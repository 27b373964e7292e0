import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { groupBy } from '../common/group-by.js';
import { type Counts, isKept, type ReportedCheck, type VerifyReport } from './report.js';

/** A report for people, a line each: what failed first, then what was not exercised, then what differs, and the figures last. */
export const textReport = (report: VerifyReport): readonly string[] => {
  const having = (outcome: ReportedCheck['outcome']) =>
    report.checks.filter((each) => each.outcome === outcome);
  return [
    ...section('Failed: the contract says otherwise', having('failed').flatMap(violated)),
    ...section('Not exercised, and what it would take', notExercised(having('not exercised'))),
    ...section(
      'Differs from us where the contract is silent, for information',
      having('differs').flatMap(violated),
    ),
    ...section('Passed, by subject', passed(having('passed'))),
    `must: ${counts(report.must, 'failed')}`,
    `may: ${counts(report.may, 'differs')}`,
    `${report.requests} requests in ${(report.milliseconds / 1000).toFixed(1)} s`,
    ...(report.stopped === null ? [] : [`stopped: ${report.stopped}`]),
    `${report.url}: ${conclusion(report)}`,
  ].map(escapeControlCharacters);
};

const conclusion = (report: VerifyReport): string => {
  if (report.must.failed > 0) return 'breaks the contract';
  if (!isKept(report)) return 'could not be judged to the end';
  return report.must.notExercised === 0
    ? 'keeps the contract'
    : 'keeps the contract as far as it was exercised';
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

const violated = ({
  id,
  section,
  statement,
  violations,
  violationCount,
}: ReportedCheck): readonly string[] => [
  `${id} (${section}): ${statement}`,
  ...violations.flatMap(({ request, path, expected, got }) => [
    `  ${request}`,
    `    ${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`,
  ]),
  ...(violationCount > violations.length ? [`  and ${violationCount - violations.length} more`] : []),
];

/** One line for each thing that was missing, with the checks that missed it. */
const notExercised = (checks: readonly ReportedCheck[]): readonly string[] => {
  const byNeed = groupBy(checks, ({ needed }) => needed ?? '');
  return Array.from(byNeed, ([needed, blocked]) => [
    `it takes ${needed}`,
    ...blocked.slice(0, 12).map(({ id, level }) => `  ${level === 'may' ? `${id} (may)` : id}`),
    ...(blocked.length > 12 ? [`  and ${blocked.length - 12} more`] : []),
  ]).flat();
};

const passed = (checks: readonly ReportedCheck[]): readonly string[] => {
  const bySubject = groupBy(checks, ({ id, level }) =>
    level === 'may' ? 'decisions of ours (may)' : (id.split('.')[0] ?? id),
  );
  return Array.from(bySubject, ([subject, { length }]) => `${subject}: ${length}`);
};

const counts = ({ passed, failed, differs, notExercised }: Counts, bad: 'failed' | 'differs'): string =>
  `${passed} passed, ${bad === 'failed' ? failed : differs} ${bad === 'failed' ? 'failed' : 'differ'}, ${notExercised} not exercised`;
