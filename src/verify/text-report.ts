import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { groupBy } from '../common/group-by.js';
import { isConforming, type ReportedCheck, type VerifyReport } from './report.js';

/** The number of checks that are listed for each missing prerequisite. */
const maxIds = 12;

/** The report for people, as lines: failures first, the counts last. */
export const textReport = (report: VerifyReport): readonly string[] => {
  const { must, info, requests, milliseconds, stopped, url } = report;
  const having = (outcome: ReportedCheck['outcome']) =>
    report.checks.filter((check) => check.outcome === outcome);
  return [
    ...section('Failed: violates the contract', having('failed').flatMap(violated)),
    ...section('Not exercised: missing prerequisites', notExercised(having('not exercised'))),
    ...section('Differs from our decisions, for information', having('differs').flatMap(violated)),
    ...section('Passed, by subject', passed(having('passed'))),
    `must: ${must.passed} passed, ${must.failed} failed, ${must.notExercised} not exercised`,
    `info: ${info.passed} passed, ${info.differs} differ, ${info.notExercised} not exercised`,
    `${requests} requests in ${(milliseconds / 1000).toFixed(1)} s`,
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
    `${url}: ${conclusion(report)}`,
  ].map(escapeControlCharacters);
};

const conclusion = (report: VerifyReport): string => {
  if (report.must.failed > 0) return 'breaks the contract';
  if (!isConforming(report)) return 'could not be checked completely';
  return report.must.notExercised === 0
    ? 'keeps the contract'
    : 'keeps the contract as far as it was exercised';
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

const violated = (check: ReportedCheck): readonly string[] => [
  `${check.id} (${check.section}): ${check.statement}`,
  ...check.violations.flatMap(({ request, path, expected, got }) => [
    `  ${request}`,
    `    ${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`,
  ]),
  ...more(check.violationCount - check.violations.length),
  ...(check.reasoning === null ? [] : [`  Reasoning: ${check.reasoning}`]),
];

const more = (count: number): readonly string[] => (count > 0 ? [`  and ${count} more`] : []);

/** One line for each missing prerequisite, followed by the checks that require it. */
const notExercised = (checks: readonly ReportedCheck[]): readonly string[] =>
  Array.from(
    groupBy(checks, ({ needed }) => needed ?? ''),
    ([needed, blocked]) => [
      `requires ${needed}`,
      ...blocked.slice(0, maxIds).map(({ id, level }) => `  ${level === 'info' ? `${id} (info)` : id}`),
      ...more(blocked.length - maxIds),
    ],
  ).flat();

const passed = (checks: readonly ReportedCheck[]): readonly string[] => {
  const bySubject = groupBy(checks, ({ id, level }) =>
    level === 'info' ? 'our decisions (info)' : (id.split('.')[0] ?? id),
  );
  return Array.from(bySubject, ([subject, { length }]) => `${subject}: ${length}`);
};
