import { describeRequest } from '../client/api-request.js';
import type { Redact } from '../client/redact-secrets.js';
import { truncate } from '../client/truncate.js';
import { pointer } from '../codecs/problem.js';
import type { Timestamp } from '../codecs/timestamp.js';
import type { CheckOutcome, Counts, ReportedCheck, ReportedViolation, VerifyReport } from './report.js';
import type { Judged, Run } from './run-checks.js';
import type { Violation } from './verdict.js';

/** How many violations of one check are shown; the others are counted. */
const mostShown = 5;

/** What a run is told about besides its verdicts. */
export type RunFacts = Readonly<{
  url: string;
  startedAt: Timestamp;
  milliseconds: number;
  requests: number;
}>;

/** A run as a report. All that a server sent goes through `redact` before it is shortened. */
export const makeReport = (run: Run, facts: RunFacts, redact: Redact): VerifyReport => {
  const checks = run.judged.map((judged) => reported(judged, redact));
  const counts = (level: 'must' | 'may'): Counts => {
    const count = (outcome: CheckOutcome): number =>
      checks.filter((check) => check.level === level && check.outcome === outcome).length;
    return {
      passed: count('passed'),
      failed: count('failed'),
      differs: count('differs'),
      notExercised: count('not exercised'),
    };
  };
  return {
    ...facts,
    url: redact(facts.url),
    stopped: run.stopped === null ? null : redact(run.stopped),
    must: counts('must'),
    may: counts('may'),
    checks,
  };
};

const reported = ({ check, verdict }: Judged, redact: Redact): ReportedCheck => {
  const violations = verdict._tag === 'Violated' ? verdict.violations : [];
  return {
    id: check.id,
    section: check.section,
    level: check.level,
    statement: check.statement,
    outcome: outcomeOf({ check, verdict }),
    violationCount: violations.length,
    violations: violations.slice(0, mostShown).map((each) => shown(each, redact)),
    needed: verdict._tag === 'NotExercised' ? redact(verdict.needed) : null,
  };
};

const outcomeOf = ({ check, verdict }: Judged): CheckOutcome => {
  switch (verdict._tag) {
    case 'Passed':
      return 'passed';
    case 'NotExercised':
      return 'not exercised';
    case 'Violated':
      return check.level === 'must' ? 'failed' : 'differs';
  }
};

const shown = ({ ask, path, expected, got }: Violation, redact: Redact): ReportedViolation => ({
  request: redact(describeRequest(ask)),
  path: redact(pointer(path)),
  expected: truncate(redact(expected)),
  got: truncate(redact(jsonOf(got))),
});

/** A value as JSON; the serialiser gives up on one that is nested too deep. */
const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'nothing';
  } catch {
    return 'a value nested too deep to be shown';
  }
};
