import * as E from 'fp-ts/lib/Either.js';
import { noResponseReason } from '../client/no-response-reason.js';
import type { Check } from './check.js';
import type { FetchContext } from './needs.js';
import { describePrerequisite, missing, type UnmetPrerequisite } from './unmet-prerequisite.js';
import { notExercised, type Verdict } from './verdict.js';

export type CheckResult = Readonly<{ check: Check; verdict: Verdict }>;

/** The results of all checks; `stopped` is the reason if the server became unreachable or sent
 * too long a response. */
export type RunResult = Readonly<{ results: readonly CheckResult[]; stopped: string | null }>;

/** Called before each check, with the number of checks done. */
export type OnProgress = (done: number, total: number, check: Check) => void;

type Outcome = E.Either<UnmetPrerequisite, Verdict>;

/**
 * Runs the checks in order, with one shared cache. A check that compares responses and found a violation runs
 * again with an empty cache, and the majority of three runs counts: data that changed between two responses
 * is no violation.
 */
export const runChecks = async (
  checks: readonly Check[],
  newContext: () => FetchContext,
  onProgress: OnProgress,
): Promise<RunResult> => {
  const context = newContext();
  const outcomes: Readonly<{ check: Check; first: Outcome }>[] = [];
  for (const check of checks) {
    onProgress(outcomes.length, checks.length, check);
    outcomes.push({ check, first: await run(check, context) });
  }
  const results: CheckResult[] = [];
  let stopped: string | null = null;
  for (const { check, first } of outcomes) {
    const outcome = check.compares && isViolated(first) ? await confirmed(check, first, newContext) : first;
    stopped = (E.isLeft(outcome) ? stopReason(outcome.left) : null) ?? stopped;
    results.push({
      check,
      verdict: E.isLeft(outcome) ? notExercised(describePrerequisite(outcome.left)) : outcome.right,
    });
  }
  return { results, stopped };
};

/** Why no more requests are sent; null if some are. */
const stopReason = (unmet: UnmetPrerequisite): string | null =>
  unmet._tag === 'Unreachable' || unmet._tag === 'ResponseTooLong' ? noResponseReason(unmet) : null;

const isViolated = (outcome: Outcome): boolean => E.isRight(outcome) && outcome.right._tag === 'Violated';

/** The majority of three runs. A violation that cannot be confirmed because requests ran out is kept. */
const confirmed = async (check: Check, first: Outcome, newContext: () => FetchContext): Promise<Outcome> => {
  const second = await run(check, newContext());
  if (E.isLeft(second) || isViolated(second)) return first;
  const third = await run(check, newContext());
  return E.isLeft(third) || isViolated(third) ? first : third;
};

/** Runs a check. A body that is nested too deeply overflows the stack, and the check is not exercised. */
const run = async (check: Check, context: FetchContext): Promise<Outcome> => {
  try {
    return await check.run(context)();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return E.left(missing(`responses that are not nested too deeply (${error.message})`));
  }
};
