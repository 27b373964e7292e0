import * as E from 'fp-ts/lib/Either.js';
import type { Check } from './check.js';
import { type CheckBlocked, neededFor } from './check-blocked.js';
import type { Reading } from './reading.js';
import { notExercised, type Verdict } from './verdict.js';

/** A check and what it found. */
export type Judged = Readonly<{ check: Check; verdict: Verdict }>;

/** All checks, judged; `stopped`: why the server could not be asked to the end. */
export type Run = Readonly<{ judged: readonly Judged[]; stopped: string | null }>;

type Outcome = E.Either<CheckBlocked, Verdict>;

const isViolated = (outcome: Outcome): boolean => E.isRight(outcome) && outcome.right._tag === 'Violated';

/**
 * Puts every check to the test, in order, on one reading of the server. What compares several answers and found a violation
 * is then read anew, and counts as the majority of three readings says: data that changed between two answers of one reading
 * is no violation. `tell` is told how far it is.
 */
export const runChecks = async (
  checks: readonly Check[],
  newReading: () => Reading,
  tell: (done: number, of: number, check: Check) => void,
): Promise<Run> => {
  const reading = newReading();
  const first: Readonly<{ check: Check; outcome: Outcome }>[] = [];
  for (const check of checks) {
    tell(first.length, checks.length, check);
    first.push({ check, outcome: await tried(check, reading) });
  }
  const judged: Judged[] = [];
  let stopped: string | null = null;
  for (const { check, outcome } of first) {
    const settled =
      check.compares && isViolated(outcome) ? await confirmed(check, outcome, newReading) : outcome;
    if (E.isLeft(settled) && settled.left._tag === 'Unreachable') stopped = settled.left.reason;
    judged.push({
      check,
      verdict: E.isLeft(settled) ? notExercised(neededFor(settled.left)) : settled.right,
    });
  }
  return { judged, stopped };
};

/** Of three readings what two agree on; a violation that cannot be looked at again, for want of requests, stands. */
const confirmed = async (check: Check, first: Outcome, newReading: () => Reading): Promise<Outcome> => {
  const second = await tried(check, newReading());
  if (E.isLeft(second) || isViolated(second)) return first;
  const third = await tried(check, newReading());
  return E.isLeft(third) || isViolated(third) ? first : third;
};

/** What a check finds. Bodies that are nested without end make it run out of stack: then it can say nothing of them. */
const tried = async (check: Check, reading: Reading): Promise<Outcome> => {
  try {
    return await check.check(reading)();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return E.left({
      _tag: 'Unusable',
      needed: `answers that can be looked at, not nested without end (${error.message})`,
    });
  }
};
