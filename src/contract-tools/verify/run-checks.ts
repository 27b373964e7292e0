import * as E from '#fp-ts/Either';
import { limitConcurrency } from '../../common/concurrency.js';
import { noResponseReason } from '../report-text.js';
import type { Check } from './check.js';
import { confirmViolations, type Suspicion } from './confirm-violations.js';
import type { FetchContext } from './need.js';
import { type CheckRun, type Outcome, runCheck } from './run-check.js';
import { describePrerequisite, reasonOf, type UnmetPrerequisite } from './unmet-prerequisite.js';
import { notExercised, type Verdict } from './verdict.js';

export type CheckResult = Readonly<{ check: Check; verdict: Verdict }>;

/**
 * The results of all checks, in the order of the checks; `stopped` is the reason if the server became
 * unreachable or sent too long a response.
 */
export type RunResult = Readonly<{ results: readonly CheckResult[]; stopped: string | null }>;

/** How far a run is: it runs each check once, and then confirms what comparisons have found. */
export type Progress = Readonly<{
  stage: 'checking' | 'confirming';
  /** The number of checks that are left in this stage. */
  left: number;
  /** The check that starts now. */
  check: Check;
}>;
export type OnProgress = (progress: Progress) => void;

export type RunOptions = Readonly<{
  /** Makes a context with an empty cache. */
  newContext: () => FetchContext;
  /** How many checks run at once. */
  concurrency: number;
  onProgress: OnProgress;
}>;

/**
 * Runs all checks with one shared cache. Those that cost little come first, so that they are exercised even
 * if requests run out; those that judge all responses of the run come last, when the others have ended.
 */
export const runChecks = async (
  checks: readonly Check[],
  context: FetchContext,
  { newContext, concurrency, onProgress }: RunOptions,
): Promise<RunResult> => {
  // The difference of two infinite costs is NaN, which counts as equal.
  const byCost = [...checks].sort((left, right) => left.cost - right.cost || 0);
  let left = checks.length;
  const runAll = (some: readonly Check[]): Promise<readonly CheckRun[]> => {
    const slots = limitConcurrency(concurrency);
    return Promise.all(
      some.map((check) =>
        slots(async () => {
          onProgress({ stage: 'checking', left, check });
          const run = await runCheck(check, context);
          left -= 1;
          return run;
        }),
      ),
    );
  };
  const runs = [
    ...(await runAll(byCost.filter(({ cost }) => Number.isFinite(cost)))),
    ...(await runAll(byCost.filter(({ cost }) => !Number.isFinite(cost)))),
  ];
  const confirmed = await confirmViolations(runs.flatMap(suspicionOf), {
    newContext,
    concurrency,
    onProgress: (check, count) => onProgress({ stage: 'confirming', left: count, check }),
  });
  const outcomes = new Map(
    [...runs, ...confirmed].map(({ check, outcome }): [Check, Outcome] => [check, outcome]),
  );
  return {
    results: checks.flatMap((check) => {
      const outcome = outcomes.get(check);
      return outcome === undefined ? [] : [{ check, verdict: verdictIn(outcome) }];
    }),
    stopped:
      Array.from(outcomes.values(), (outcome) => (E.isLeft(outcome) ? stopReason(outcome.left) : null)).find(
        (reason) => reason !== null,
      ) ?? null,
  };
};

/** A violation in one response counts at once. One between responses has to be confirmed. */
const suspicionOf = ({ check, outcome, exchanges }: CheckRun): readonly Suspicion[] =>
  check.compares && E.isRight(outcome) && outcome.right._tag === 'Violated'
    ? [{ check, violations: outcome.right.violations, exchanges }]
    : [];

/** The verdict of a check that was run. */
export const verdictIn = (outcome: Outcome): Verdict =>
  E.isLeft(outcome)
    ? notExercised(describePrerequisite(outcome.left), reasonOf(outcome.left))
    : outcome.right;

/** Why no more requests are sent; null if some are. */
const stopReason = (unmet: UnmetPrerequisite): string | null =>
  unmet._tag === 'Unreachable' || unmet._tag === 'ResponseTooLong' ? noResponseReason(unmet) : null;
