import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import {
  type Counts,
  hasEnoughEvidence,
  hasUnconfirmed,
  lackOfEvidence,
  type ReportedCheck,
  reasons,
  type VerifyReport,
} from './report.js';

/** The number of checks that are listed for each missing prerequisite. */
const maxIds = 12;

/** What a terminal shows at once. */
const screen = { rows: 25, columns: 80 };

/**
 * The report for people, as lines: what is wrong first, the counts last. Of a server that breaks the contract
 * it is what to fix first, on one screen; with `details` everything else, too.
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
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
    ...(lack === null || stopped !== null || must.failed > 0 ? [] : [lack]),
    `${url}: ${conclusion(report)}`,
  ].map(escapeControlCharacters);
  return [...(isShort ? fixFirst(report, heightOf(summary)) : everything(report)), ...summary];
};

/** A failure that has to be fixed itself, and those that follow from it. */
type Cause = Readonly<{ check: ReportedCheck; effects: readonly ReportedCheck[] }>;

/** The causes of all failures, those with the most effects first. */
const causesIn = ({ checks }: VerifyReport): readonly Cause[] => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const effects = groupBy(failed, ({ cause }) => cause);
  return (effects.get(null) ?? [])
    .map((check) => ({ check, effects: effects.get(check.id) ?? [] }))
    .sort((left, right) => right.effects.length - left.effects.length);
};

/** As many causes as fit on a screen that ends with a summary of so many rows; at least one. */
const fixFirst = (report: VerifyReport, summaryRows: number): readonly string[] => {
  const causes = causesIn(report).map(({ check, effects }) => {
    const follow =
      effects.length === 0 ? '' : `; ${effects.length} more ${effects.length === 1 ? 'follows' : 'follow'}`;
    const [request = '', difference = ''] = check.violations.slice(0, 1).flatMap(violationLines);
    return [
      crop(`  ${check.id} (${check.section}${follow}): ${check.statement}`, 2),
      crop(`    ${request}`, 1),
      crop(`    ${difference}`, 2),
    ];
  });
  // The heading, a line for the causes that do not fit, and an empty line stand next to the causes.
  let left = screen.rows - summaryRows - 3;
  const shown = causes.filter((lines, index) => {
    left -= heightOf(lines);
    return index === 0 || left >= 0;
  });
  const others = causes.length - shown.length;
  return ['To fix first', ...shown.flat(), ...(others === 0 ? [] : [`  and ${others} more to fix`]), ''];
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
    ...section(
      'Failed: violates the contract',
      causesIn(report).flatMap(({ check, effects }) => [
        ...violated(check),
        ...(effects.length === 0 ? [] : ['  From this follows:']),
        ...effects.flatMap(violated).map((line) => `    ${line}`),
      ]),
    ),
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

/** A titled part of a report; nothing if it has no lines. */
export const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

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
