import { describeRequest } from '../../client/outgoing-request.js';
import { pointer } from '../../contract/codecs/problem.js';
import { type Redact, truncate } from '../report-text.js';
import type { CheckLevel } from './check.js';
import type { CheckOutcome, Counts, ReportedCheck, ReportedViolation, VerifyReport } from './report.js';
import type { CheckResult, RunResult } from './run-checks.js';
import type { Violation } from './verdict.js';

/** The number of violations that a report shows for each check; the others are counted. */
const maxViolations = 5;

type RunMetadata = Pick<VerifyReport, 'url' | 'startedAt' | 'milliseconds' | 'requests' | 'seed'>;

/** The report of a run. Everything that the server sent is redacted before it is shortened. */
export const makeReport = (
  run: RunResult,
  metadata: RunMetadata,
  minExercised: number,
  redact: Redact,
): VerifyReport => {
  const checks = run.results.map((result) => reportedCheck(result, redact));
  return {
    ...metadata,
    url: redact(metadata.url),
    stopped: run.stopped === null ? null : redact(run.stopped),
    evidence: { ...exercisedIn(checks), requiredPercent: minExercised },
    must: countsOf(checks, 'must'),
    info: countsOf(checks, 'info'),
    checks,
  };
};

/** A statement that needs credentials which the run does not have says nothing about the run. */
const exercisedIn = (checks: readonly ReportedCheck[]): Readonly<{ exercised: number; of: number }> => {
  const allowed = checks.filter(({ level, reason }) => level === 'must' && reason !== 'credentials');
  const exercised = allowed.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  return { exercised: exercised.length, of: allowed.length };
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

const reportedCheck = ({ check, verdict }: CheckResult, redact: Redact): ReportedCheck => {
  const { id, section, level, statement, reasoning } = check;
  const violations = verdict._tag === 'Violated' || verdict._tag === 'ChangingData' ? verdict.violations : [];
  return {
    id,
    section,
    level,
    statement,
    reasoning,
    outcome: outcomeOf({ check, verdict }),
    violationCount: violations.length,
    violations: violations.slice(0, maxViolations).map((each) => reportedViolation(each, redact)),
    needed: verdict._tag === 'NotExercised' ? redact(verdict.prerequisite) : null,
    reason: verdict._tag === 'NotExercised' ? verdict.reason : null,
  };
};

const outcomeOf = ({ check, verdict }: CheckResult): CheckOutcome => {
  switch (verdict._tag) {
    case 'Passed':
      return 'passed';
    case 'NotExercised':
      return 'not exercised';
    case 'ChangingData':
      return 'changing data';
    case 'Violated':
      return check.level === 'must' ? 'failed' : 'differs';
  }
};

const reportedViolation = (
  { request, path, expected, got }: Violation,
  redact: Redact,
): ReportedViolation => ({
  request: redact(describeRequest(request)),
  path: redact(pointer(path)),
  expected: truncate(redact(expected)),
  got: truncate(redact(jsonText(got))),
});

/** A value as JSON. `JSON.stringify` throws if the value is nested too deeply. */
const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return 'a value that is nested too deeply to be shown';
  }
};
