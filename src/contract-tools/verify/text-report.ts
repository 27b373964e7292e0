import { escapeControlCharacters } from '../../common/messages.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { UnexercisedReason } from './need.js';
import {
  type Counts,
  hasEnoughEvidence,
  hasUnconfirmed,
  lackOfEvidence,
  type ReportedCheck,
  type VerifyReport,
} from './report.js';

/** The number of checks that are listed for each missing prerequisite. */
const maxIds = 12;

/** The report for people, as lines: failures first, the counts last. */
export const textReport = (report: VerifyReport): readonly string[] => {
  const { must, info, requests, milliseconds, stopped, url, seed } = report;
  const having = (outcome: ReportedCheck['outcome']) =>
    report.checks.filter((check) => check.outcome === outcome);
  const lack = lackOfEvidence(report);
  return [
    ...section('Failed: violates the contract', having('failed').flatMap(violated)),
    ...section(
      'Changing data: responses disagree, but never stayed the same long enough to tell',
      having('changing data').flatMap(violated),
    ),
    ...reasons.flatMap(([reason, title]) =>
      section(
        `Not exercised: ${title}`,
        notExercised(having('not exercised').filter((check) => check.reason === reason)),
      ),
    ),
    ...section('Differs from our decisions, for information', having('differs').flatMap(violated)),
    ...section('Passed, by subject', passed(having('passed'))),
    `must: ${must.passed} passed, ${must.failed} failed, ${changing(must)}${must.notExercised} not exercised`,
    `info: ${info.passed} passed, ${info.differs} differ, ${changing(info)}${info.notExercised} not exercised`,
    `${requests} requests in ${(milliseconds / 1000).toFixed(1)} s`,
    ...(seed === null
      ? []
      : [`large lists were sampled: --seed ${seed} repeats it, --all-pages fetches all`]),
    ...(stopped === null ? [] : [`stopped: ${stopped}`]),
    ...(lack === null || stopped !== null || must.failed > 0 ? [] : [lack]),
    `${url}: ${conclusion(report)}`,
  ].map(escapeControlCharacters);
};

/** The reasons why checks were not exercised, in the order of the report. */
const reasons: readonly (readonly [UnexercisedReason, string])[] = [
  ['unconfirmed', 'violations that could not be confirmed'],
  ['requests', 'requests ran out'],
  ['response', 'a response is missing or unusable'],
  ['sample', 'the list is large, and was sampled'],
  ['data', 'the data of this user cannot show it'],
  ['credentials', 'credentials were not given'],
];

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
