import { escapeControlCharacters } from '../common/messages.js';
import { groupBy } from '../common/sort-and-group.js';
import { reasons } from './not-exercised.js';
import {
  type Counts,
  hasEnoughEvidence,
  hasUnconfirmed,
  lackOfEvidence,
  type ReportedCheck,
  type ReportedViolation,
  type VerifyReport,
} from './report.js';
import { section } from './report-text.js';

/** The number of checks that are listed for each missing prerequisite. */
const maxIds = 12;

/** How many mistakes, or failed checks without one, are told at once. */
const maxTold = 3;

/**
 * The report for people, as lines: what is wrong first, the counts last. Of a server that breaks the
 * contract it is what to fix first; with `details` every failure and everything else, too.
 */
export const textReport = (report: VerifyReport, { details = false } = {}): readonly string[] => {
  const { must, info, requests, milliseconds, stopped, url, seed } = report;
  const lack = lackOfEvidence(report);
  const isShort = must.failed > 0 && !details;
  const summary = [
    `must: ${must.passed} passed, ${must.failed} failed, ${changing(must)}${must.notExercised} not exercised`,
    ...(isShort
      ? ['--details shows every failure, what differs, and what was not exercised']
      : [
          `info: ${info.passed} passed, ${info.differs} differ, ${changing(info)}${info.notExercised} not exercised`,
          `${requests} requests in ${(milliseconds / 1000).toFixed(1)} s`,
        ]),
    ...(seed === null
      ? []
      : [`large lists were sampled: --seed ${seed} repeats it, --all-pages fetches all`]),
    ...(must.changingData === 0 ? [] : ['the data changes during the run: verify while nobody writes']),
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
    ...(lack === null || stopped !== null || must.failed > 0 ? [] : [lack]),
    `${url}: ${conclusion(report)}`,
  ].map(escapeControlCharacters);
  return [...(isShort ? fixFirst(report) : everything(report)), ...summary];
};

/** What is wrong, the gravest first: mistakes, then failed checks that mean none; each with an example. */
export const wrongIn = (report: VerifyReport) => [
  ...report.mistakes.map(({ gravity: origin, ...mistake }) => ({ ...mistake, origin })),
  ...unexplained(report).map(({ id: origin, section, statement: sentence, violations: [example] }) => ({
    ...{ sentence, section, origin, example },
  })),
];

/** The gravest three, each with a request that shows it. */
const fixFirst = (report: VerifyReport): readonly string[] => {
  const all = wrongIn(report);
  const lines = all
    .slice(0, maxTold)
    .flatMap(({ sentence, section, origin, example }) => [
      `  ${sentence} (${section}; ${origin})`,
      ...(example === undefined ? [] : [`    ${example.curl}`, `      ${differenceText(example)}`]),
    ]);
  const left = all.length - maxTold;
  return [
    'To fix, the gravest first',
    ...lines.map(escapeControlCharacters),
    ...(left > 0 ? [`  and ${left} more`] : []),
    '',
  ];
};

/** The failed checks that mean no known mistake. */
const unexplained = ({ checks, mistakes }: VerifyReport): readonly ReportedCheck[] => {
  const explained = new Set(mistakes.flatMap((mistake) => mistake.checks));
  return checks.filter(({ id, outcome }) => outcome === 'failed' && !explained.has(id));
};

const everything = (report: VerifyReport): readonly string[] => {
  const having = (outcome: ReportedCheck['outcome']) =>
    report.checks.filter((check) => check.outcome === outcome);
  return [
    ...section('Failed: violates the contract', [
      ...report.mistakes.flatMap(({ gravity, section, sentence, checks }) => [
        `${sentence} (${section}; ${gravity})`,
        ...having('failed')
          .filter(({ id }) => checks.includes(id))
          .flatMap(violated)
          .map((line) => `  ${line}`),
      ]),
      ...unexplained(report).flatMap(violated),
    ]),
    ...section(
      'Changing data: responses disagree, but never stayed the same long enough to tell',
      having('changing data').flatMap(violated),
    ),
    ...Object.entries(reasons).flatMap(([reason, [heading]]) =>
      section(
        `Not exercised: ${heading}`,
        notExercised(having('not exercised').filter((check) => check.reason === reason)),
      ),
    ),
    ...section('Differs from our decisions, for information', having('differs').flatMap(violated)),
    ...section('Passed, by subject', passed(having('passed'))),
  ].map(escapeControlCharacters);
};

const changing = ({ changingData }: Counts): string =>
  changingData === 0 ? '' : `${changingData} with changing data, `;

const conclusion = (report: VerifyReport): string => {
  if (report.must.failed > 0) return 'breaks the contract';
  if (report.stopped !== null || hasUnconfirmed(report)) return 'could not be checked completely';
  if (!hasEnoughEvidence(report)) return 'too little was exercised for a verdict';
  return report.must.notExercised + report.must.changingData === 0
    ? 'keeps the contract'
    : 'keeps the contract as far as it was exercised';
};

const differenceText = ({ path, expected, got }: ReportedViolation): string =>
  `${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`;

/** A violation in two lines: the request, and what is expected where. */
export const violationLines = (violation: ReportedViolation): readonly string[] => [
  violation.request,
  `  ${differenceText(violation)}`,
];

const violated = (check: ReportedCheck): readonly string[] => [
  `${check.id} (${check.section}): ${check.statement}`,
  ...check.violations.flatMap(violationLines).map((line) => `  ${line}`),
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
