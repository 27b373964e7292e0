import * as t from 'io-ts';
import { describeRequest, type OutgoingRequest } from '../client/outgoing-request.js';
import { groupBy } from '../common/sort-and-group.js';
import { listOf, nullable } from '../contract/codecs/combinators.js';
import { pointer } from '../contract/codecs/problem.js';
import { Integer } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import type { Check, CheckLevel, Verdict, Violation } from './check.js';
import type { Exchange } from './exchange.js';
import type { FoundMistake } from './meanings.js';
import { reasons, UnexercisedReason } from './not-exercised.js';
import { jsonText, type Redact, truncate } from './report-text.js';

/** A place where a response is not as expected. Values are shortened, and secrets are removed. */
export const ReportedViolation = t.strict(
  {
    request: t.string,
    /** The same as a command; the secrets are the variables in which `verify` takes them. */
    curl: t.string,
    path: t.string,
    expected: t.string,
    got: t.string,
  },
  'ReportedViolation',
);
export type ReportedViolation = t.TypeOf<typeof ReportedViolation>;

/**
 * `differs`: the server decided differently from us where the contract is silent, which is no failure.
 * `changing data`: responses disagree, but they change all the time, so that nobody can tell.
 */
const CheckOutcome = t.keyof(
  { passed: null, failed: null, differs: null, 'changing data': null, 'not exercised': null },
  'one of passed, failed, differs, changing data, not exercised',
);
type CheckOutcome = t.TypeOf<typeof CheckOutcome>;

export const ReportedCheck = t.strict(
  {
    id: t.string,
    section: t.string,
    level: t.keyof({ must: null, info: null }, 'one of must, info'),
    statement: t.string,
    /** Why the contract says so, if a reader may doubt it; null otherwise. */
    reasoning: nullable(t.string),
    outcome: CheckOutcome,
    /** The number of violations; `violations` holds the first of them. */
    violationCount: Integer,
    violations: listOf(ReportedViolation),
    /** The missing prerequisite; null unless the check was not exercised. */
    needed: nullable(t.string),
    reason: nullable(UnexercisedReason),
  },
  'ReportedCheck',
);
export type ReportedCheck = t.TypeOf<typeof ReportedCheck>;

/** What the server gets wrong, the ids of the failed checks that mean it, and an example. */
const ReportedMistake = t.strict(
  {
    id: t.string,
    gravity: t.keyof({ leak: null, credentials: null, data: null, shape: null, wording: null }),
    section: t.string,
    sentence: t.string,
    checks: listOf(t.string),
    example: ReportedViolation,
  },
  'ReportedMistake',
);

const Counts = t.strict(
  { passed: Integer, failed: Integer, differs: Integer, changingData: Integer, notExercised: Integer },
  'Counts',
);
export type Counts = t.TypeOf<typeof Counts>;

/**
 * How much of the contract a run has exercised: of the statements at level `must` that the given credentials
 * allow, those that passed or failed. `--min-exercised` says how many per cent are required.
 */
const Evidence = t.strict({ exercised: Integer, of: Integer, requiredPercent: Integer }, 'Evidence');

/** The result of `verify`, as its JSON file holds it. */
export const VerifyReport = t.strict(
  {
    url: t.string,
    startedAt: Timestamp,
    milliseconds: Integer,
    /** The number of requests sent, including retries. */
    requests: Integer,
    /** Why the run stopped early; null if it did not. */
    stopped: nullable(t.string),
    /** The seed that chose the pages of large lists; null if every list was fetched completely. */
    seed: nullable(Integer),
    evidence: Evidence,
    must: Counts,
    info: Counts,
    /** The gravest first. A failed check that is in none of them means no known mistake. */
    mistakes: listOf(ReportedMistake),
    checks: listOf(ReportedCheck),
  },
  'VerifyReport',
);
export type VerifyReport = t.TypeOf<typeof VerifyReport>;

/** The number of exercised statements as a percentage, rounded down; 100 if there are none. */
const exercisedPercent = ({ evidence: { exercised, of } }: VerifyReport): number =>
  of === 0 ? 100 : Math.floor((100 * exercised) / of);

/** Whether enough of the contract was exercised for a verdict. */
export const hasEnoughEvidence = (report: VerifyReport): boolean =>
  exercisedPercent(report) >= report.evidence.requiredPercent;

/** Whether the server became unreachable before anything could be said about it. */
export const isUnanswered = ({ stopped, evidence: { exercised } }: VerifyReport): boolean =>
  stopped !== null && exercised === 0;

/** Whether a violation was found that could not be confirmed. */
export const hasUnconfirmed = ({ checks }: VerifyReport): boolean =>
  checks.some(({ level, reason }) => level === 'must' && reason === 'unconfirmed');

/** Whether no `must` failed, the run did not stop early, and enough was exercised. */
export const isConforming = (report: VerifyReport): boolean =>
  report.must.failed === 0 && report.stopped === null && !hasUnconfirmed(report) && hasEnoughEvidence(report);

/** Why a run without failures says too little about a server, as a sentence; null if it says enough. */
export const lackOfEvidence = (report: VerifyReport): string | null => {
  const { exercised, of, requiredPercent } = report.evidence;
  if (hasUnconfirmed(report))
    return 'a violation was found and could not be confirmed, because requests ran out (--max-requests)';
  if (hasEnoughEvidence(report)) return null;
  const percent = exercisedPercent(report);
  return (
    `only ${exercised} of ${of} statements were exercised (${percent}%, and --min-exercised asks for ` +
    `${requiredPercent}%): ${causesIn(report).join(', ')}; --min-exercised ${percent} accepts as little`
  );
};

/** The reasons of statements that the credentials allow, the most frequent first. */
const causesIn = ({ checks, must }: VerifyReport): readonly string[] => {
  const unexercised = checks.flatMap(({ level, reason }) =>
    level === 'must' && reason !== null && reason !== 'credentials' ? [reason] : [],
  );
  const changing =
    must.changingData === 0 ? [] : [`${must.changingData} have data that changes all the time`];
  return Array.from(groupBy(unexercised, (reason) => reason))
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([reason, { length }]) => `${length} ${reasons[reason][1]}`)
    .concat(changing);
};

type CheckResult = Readonly<{ check: Check; verdict: Verdict }>;

/** The results in the order of the checks, and the reason if no more requests could be sent. */
export type RunResult = Readonly<{
  results: readonly CheckResult[];
  stopped: string | null;
  /** All responses. */
  exchanges: readonly Exchange[];
}>;

/** The number of violations that a report shows for each check; the others are counted. */
const maxViolations = 5;

type RunMetadata = Pick<VerifyReport, 'url' | 'startedAt' | 'milliseconds' | 'requests' | 'seed'>;

/** How values and requests are shown. */
type Presentation = Readonly<{ redact: Redact; curlOf: (request: OutgoingRequest) => string }>;

/** The report of a run. Everything that the server sent is redacted before it is shortened. */
export const makeReport = (
  run: RunResult,
  mistakes: readonly FoundMistake[],
  metadata: RunMetadata,
  minExercised: number,
  presentation: Presentation,
): VerifyReport => {
  const { redact } = presentation;
  const checks = run.results.map((result) => reportedCheck(result, presentation));
  // A statement that needs credentials which the run does not have says nothing about the run.
  const allowed = checks.filter(({ level, reason }) => level === 'must' && reason !== 'credentials');
  return {
    ...metadata,
    url: redact(metadata.url),
    stopped: run.stopped === null ? null : redact(run.stopped),
    evidence: {
      exercised: allowed.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed').length,
      of: allowed.length,
      requiredPercent: minExercised,
    },
    must: countsOf(checks, 'must'),
    info: countsOf(checks, 'info'),
    mistakes: mistakes.map(({ mistake: { group: _, ...mistake }, checks, example }) => ({
      ...mistake,
      checks,
      example: reportedViolation(example, presentation),
    })),
    checks,
  };
};

const countsOf = (checks: readonly ReportedCheck[], level: CheckLevel): Counts => {
  const count = (outcome: CheckOutcome): number =>
    checks.filter((check) => check.level === level && check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    differs: count('differs'),
    changingData: count('changing data'),
    notExercised: count('not exercised'),
  };
};

const reportedCheck = ({ check, verdict }: CheckResult, presentation: Presentation): ReportedCheck => {
  const { id, section, level, statement, reasoning } = check;
  const violations = 'violations' in verdict ? verdict.violations : [];
  const isUnexercised = verdict._tag === 'NotExercised';
  return {
    id,
    section,
    level,
    statement,
    reasoning,
    outcome: verdict._tag === 'Violated' && level === 'info' ? 'differs' : outcomes[verdict._tag],
    violationCount: violations.length,
    violations: violations.slice(0, maxViolations).map((each) => reportedViolation(each, presentation)),
    needed: isUnexercised ? presentation.redact(verdict.needed) : null,
    reason: isUnexercised ? verdict.reason : null,
  };
};

const outcomes = {
  Passed: 'passed',
  Violated: 'failed',
  ChangingData: 'changing data',
  NotExercised: 'not exercised',
} as const;

const reportedViolation = (
  { request, path, expected, got }: Violation,
  { redact, curlOf }: Presentation,
): ReportedViolation => ({
  request: redact(describeRequest(request)),
  curl: redact(curlOf(request)),
  path: redact(pointer(path)),
  expected: truncate(redact(expected)),
  got: truncate(redact(jsonText(got))),
});
