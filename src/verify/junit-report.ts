import { escapeControlCharacters } from '../common/messages.js';
import {
  type Counts,
  lackOfEvidence,
  type ReportedCheck,
  type ReportedViolation,
  type VerifyReport,
} from './report.js';

/**
 * The report as JUnit XML for CI systems: one test suite for the run and one for each level, one test case
 * for each check. A check that was not exercised, or whose data changes all the time, is skipped. A case at
 * level `info` that differs passes, and its output says how.
 */
export const junitReport = (report: VerifyReport): string => {
  const { must, info, checks, stopped } = report;
  const problems = [
    { name: 'the server stays reachable', type: 'unreachable', message: stopped },
    { name: 'enough of the contract is exercised', type: 'evidence', message: lackOfEvidence(report) },
  ];
  const errors = problems.filter(({ message }) => message !== null).length;
  const casesAt = (level: ReportedCheck['level']) =>
    checks.filter((check) => check.level === level).map(testCase);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: `triage-api verify ${report.url}`,
      tests: checks.length + problems.length,
      failures: must.failed,
      errors,
      skipped: skippedIn(must) + skippedIn(info),
      time: (report.milliseconds / 1000).toFixed(3),
    })}>`,
    ...suite(
      'run',
      report,
      { errors, failures: 0, skipped: 0 },
      problems.map(({ name, type, message }) => {
        const error = message === null ? '' : `<error${attributes({ message, type })}/>`;
        return `    <testcase${attributes({ classname: 'run', name })}>${error}</testcase>`;
      }),
    ),
    ...(['must', 'info'] as const).flatMap((level) => {
      const counts = { errors: 0, failures: report[level].failed, skipped: skippedIn(report[level]) };
      return suite(level, report, counts, casesAt(level));
    }),
    '</testsuites>',
    '',
  ].join('\n');
};

const suite = (
  name: string,
  { startedAt }: VerifyReport,
  counts: Readonly<{ errors: number; failures: number; skipped: number }>,
  cases: readonly string[],
): readonly string[] => [
  `  <testsuite${attributes({ name, tests: cases.length, ...counts, timestamp: startedAt })}>`,
  ...cases,
  '  </testsuite>',
];

const testCase = (check: ReportedCheck): string => {
  const name = `${check.id} (${check.section}): ${check.statement}`;
  const classname = `${check.level}.${check.id.split('.')[0]}`;
  return `    <testcase${attributes({ classname, name })}>${result(check)}</testcase>`;
};

const skippedIn = ({ notExercised, changingData }: Counts): number => notExercised + changingData;

const result = (check: ReportedCheck): string => {
  const { outcome, violations, violationCount, needed, reason, reasoning } = check;
  const text = xmlText(
    [...violations.map(violationText), ...(reasoning === null ? [] : [`Reasoning: ${reasoning}`])].join('\n'),
  );
  switch (outcome) {
    case 'passed':
      return '';
    case 'failed':
      return `<failure${attributes({ message: `${violationCount} found`, type: 'contract' })}>${text}</failure>`;
    case 'differs':
      return `<system-out>${text}</system-out>`;
    case 'changing data':
      return `<skipped${attributes({ message: 'changing data: responses disagree, but never stay the same' })}>${text}</skipped>`;
    case 'not exercised':
      return `<skipped${attributes({ message: `not exercised (${reason}): requires ${needed}` })}/>`;
  }
};

/** A violation in one line. */
export const violationText = ({ request, path, expected, got }: ReportedViolation): string =>
  `${request} ${path}: expected ${expected}, got ${got}`;

/** Attributes of an element, with a space before each. */
export const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('');

/**
 * Text for elements and attributes of XML 1.0. Markup is escaped. Line breaks and tabs become references so
 * that attributes keep them; all other control characters, most of which XML cannot hold, become visible
 * text. What else XML cannot hold becomes U+FFFD.
 */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r]+/g, escapeControlCharacters)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
