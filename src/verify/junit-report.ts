import type { ReportedCheck, ReportedViolation, VerifyReport } from './report.js';
import { xmlText } from './xml-text.js';

/**
 * A report in the XML that CI systems read: a test suite for `must` and one for `may`, a test case for each check. What was
 * not exercised is skipped; a decision of ours that the server does not share stands in the output of its case.
 */
export const junitReport = (report: VerifyReport): string => {
  const { must, may, checks } = report;
  const all = checks.length;
  const skipped = must.notExercised + may.notExercised;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: `triage-api verify ${report.url}`,
      tests: all + 1,
      failures: must.failed,
      errors: report.stopped === null ? 0 : 1,
      skipped,
      time: seconds(report),
    })}>`,
    ...suite(
      'reach',
      report,
      [
        `    <testcase${attributes({ classname: 'reach', name: 'the server can be asked to the end' })}>${stopped(report)}</testcase>`,
      ],
      {
        errors: report.stopped === null ? 0 : 1,
      },
    ),
    ...(['must', 'may'] as const).flatMap((level) => {
      const own = checks.filter((check) => check.level === level);
      return suite(level, report, own.map(testCase), {
        failures: report[level].failed,
        skipped: report[level].notExercised,
      });
    }),
    '</testsuites>',
    '',
  ].join('\n');
};

type Figures = Readonly<{ errors?: number; failures?: number; skipped?: number }>;

const suite = (
  name: string,
  { startedAt }: VerifyReport,
  cases: readonly string[],
  { errors = 0, failures = 0, skipped = 0 }: Figures,
): readonly string[] => [
  `  <testsuite${attributes({ name, tests: cases.length, errors, failures, skipped, timestamp: startedAt })}>`,
  ...cases,
  '  </testsuite>',
];

const testCase = (check: ReportedCheck): string => {
  const name = `${check.id} (${check.section}): ${check.statement}`;
  return `    <testcase${attributes({ classname: `${check.level}.${check.id.split('.')[0]}`, name })}>${result(check)}</testcase>`;
};

const result = ({ outcome, violations, violationCount, needed }: ReportedCheck): string => {
  const text = xmlText(violations.map(inWords).join('\n'));
  switch (outcome) {
    case 'passed':
      return '';
    case 'failed':
      return `<failure${attributes({ message: `${violationCount} found`, type: 'contract' })}>${text}</failure>`;
    case 'differs':
      return `<system-out>${text}</system-out>`;
    case 'not exercised':
      return `<skipped${attributes({ message: `not exercised: it takes ${needed}` })}/>`;
  }
};

const stopped = ({ stopped: reason }: VerifyReport): string =>
  reason === null ? '' : `<error${attributes({ message: reason, type: 'unreachable' })}/>`;

const inWords = ({ request, path, expected, got }: ReportedViolation): string =>
  `${request} ${path}: expected ${expected}, got ${got}`;

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join('');

const seconds = ({ milliseconds }: VerifyReport): string => (milliseconds / 1000).toFixed(3);
