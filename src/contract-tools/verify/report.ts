import * as t from 'io-ts';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { Integer } from '../../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../../contract/codecs/timestamp.js';
import { UnexercisedReason } from './unmet-prerequisite.js';

/** A place where a response is not as expected. Values are shortened, and secrets are removed. */
export const ReportedViolation = t.strict(
  { request: t.string, path: t.string, expected: t.string, got: t.string },
  'ReportedViolation',
);
export type ReportedViolation = t.TypeOf<typeof ReportedViolation>;

/**
 * `differs`: the server decided differently from us where the contract is silent, which is no failure.
 * `changing data`: responses disagree, but they change all the time, so that nobody can tell.
 */
export const CheckOutcome = t.keyof(
  { passed: null, failed: null, differs: null, 'changing data': null, 'not exercised': null },
  'one of passed, failed, differs, changing data, not exercised',
);
export type CheckOutcome = t.TypeOf<typeof CheckOutcome>;

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
    /** The kind of that prerequisite; null unless the check was not exercised. */
    reason: nullable(UnexercisedReason),
  },
  'ReportedCheck',
);
export type ReportedCheck = t.TypeOf<typeof ReportedCheck>;

const Counts = t.strict(
  { passed: Integer, failed: Integer, differs: Integer, changingData: Integer, notExercised: Integer },
  'Counts',
);
export type Counts = t.TypeOf<typeof Counts>;

/**
 * How much of the contract a run has exercised: of the statements at level `must` that the given credentials
 * allow, those that passed or failed.
 */
const Evidence = t.strict(
  {
    exercised: Integer,
    of: Integer,
    /** How many per cent are required (`--min-exercised`). */
    requiredPercent: Integer,
  },
  'Evidence',
);

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
    checks: listOf(ReportedCheck),
  },
  'VerifyReport',
);
export type VerifyReport = t.TypeOf<typeof VerifyReport>;

/** The number of exercised statements as a percentage, rounded down; 100 if there are none. */
export const exercisedPercent = ({ evidence: { exercised, of } }: VerifyReport): number =>
  of === 0 ? 100 : Math.floor((100 * exercised) / of);

/** Whether enough of the contract was exercised for a verdict. */
export const hasEnoughEvidence = (report: VerifyReport): boolean =>
  exercisedPercent(report) >= report.evidence.requiredPercent;

/** Whether a violation was found that could not be confirmed. */
export const hasUnconfirmed = ({ checks }: VerifyReport): boolean =>
  checks.some(({ level, reason }) => level === 'must' && reason === 'unconfirmed');

/** Whether no `must` failed, the run did not stop early, and enough was exercised. */
export const isConforming = (report: VerifyReport): boolean =>
  report.must.failed === 0 && report.stopped === null && !hasUnconfirmed(report) && hasEnoughEvidence(report);
