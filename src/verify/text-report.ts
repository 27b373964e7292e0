import { escapeControlCharacters } from '../common/messages.js';
import { groupBy } from '../common/sort-and-group.js';
import {
  type Counts,
  hasEnoughEvidence,
  hasUnconfirmed,
  lackOfEvidence,
  type ReportedCheck,
  reasons,
  type VerifyReport,
} from './report.js';
import { section } from './report-text.js';

/** The number of checks that are listed for each missing prerequisite. */
const maxIds = 12;

/** What a terminal shows at once. */
const screen = { rows: 25, columns: 80 };

/**
 * The report for people, as lines: what is wrong first, the counts last. Of a server that breaks the
 * contract it is its mistakes, on one screen; with `details` every failure and everything else, too.
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
  return [...(isShort ? fixFirst(report, heightOf(summary)) : everything(report)), ...summary];
};

/**
 * All mistakes, then as many failed checks that none of them explains as fit on a screen that ends with a
 * summary of so many rows. Mistakes are never left out; the last ones are without their example if that
 * takes too many rows.
 */
const fixFirst = (report: VerifyReport, summaryRows: number): readonly string[] => {
  const blocks = [
    ...report.mistakes.map(({ gravity, section, sentence, example }) => ({
      title: crop(`  ${sentence} (${section}; ${gravity})`, 2),
      example,
    })),
    ...unexplained(report).map(({ id, section, statement, violations: [example] }) => ({
      title: crop(`  ${id} (${section}): ${statement}`, 2),
      example,
    })),
  ].map(({ title, example }) => {
    const [request = '', difference = ''] = example === undefined ? [] : violationLines(example);
    return [title, crop(`    ${request}`, 1), crop(`    ${difference}`, 2)];
  });
  const ofMistakes = blocks.slice(0, report.mistakes.length);
  // The heading, a line for the checks that do not fit, and an empty line stand next to them.
  let left = screen.rows - summaryRows - 3 - heightOf(ofMistakes.flatMap(([title = '']) => title));
  const shown = blocks.map((lines, index) => {
    const added = index < ofMistakes.length ? lines.slice(1) : lines;
    left -= heightOf(added);
    return index === 0 || left >= 0 ? lines : lines.slice(0, lines.length - added.length);
  });
  const others = shown.filter(({ length }) => length === 0).length;
  return [
    'To fix, the gravest first',
    ...shown.flat(),
    ...(others === 0 ? [] : [`  and ${others} more failed checks`]),
    '',
  ];
};

/** The failed checks that no mistake explains. */
const unexplained = ({ checks, mistakes }: VerifyReport): readonly ReportedCheck[] => {
  const explained = new Set(mistakes.flatMap((mistake) => mistake.checks));
  return checks.filter(({ id, outcome }) => outcome === 'failed' && !explained.has(id));
};

/** The number of rows that lines take on a screen. */
const heightOf = (lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / screen.columns)), 0);

/** A line that takes no more than so many rows. */
const crop = (text: string, rows: number): string => {
  const [line, length] = [escapeControlCharacters(text), rows * screen.columns];
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
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

const violationLines = ({ request, path, expected, got }: ReportedCheck['violations'][number]) => [
  request,
  `  ${path === '' ? '' : `${path}: `}expected ${expected}, got ${got}`,
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
