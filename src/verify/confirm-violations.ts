import * as E from 'fp-ts/lib/Either.js';
import { limitConcurrency } from '../common/limit-concurrency.js';
import type { Exchange } from './caching-client.js';
import type { Check } from './check.js';
import { isFlipping } from './flipping.js';
import type { FetchContext } from './need.js';
import { isQuiet } from './quiet-moment.js';
import { type Outcome, runCheck } from './run-check.js';
import { notExercised, type Verdict, type Violation } from './verdict.js';

/** A check that compares responses and found a violation, and the responses that show it. */
export type Suspicion = Readonly<{
  check: Check;
  violations: readonly Violation[];
  exchanges: readonly Exchange[];
}>;

/** How often in a row a comparison has to fail in a quiet moment. */
const quietFailures = 3;

/** How often a comparison is repeated on its own, if it was not decided together with the others. */
const maxRepetitions = 8;

/** A suspicion that is being examined: how often it failed in a quiet moment, without a change since. */
type Examined = Suspicion & Readonly<{ failures: number; hasChanged: boolean }>;

type Settled = Readonly<{ check: Check; outcome: Outcome; exchanges: readonly Exchange[] }>;
type Step = Readonly<{ settled: Outcome; exchanges: readonly Exchange[] }> | Readonly<{ left: Examined }>;

export type ConfirmOptions = Readonly<{
  /** Makes a context with an empty cache. */
  newContext: () => FetchContext;
  concurrency: number;
  onProgress: (check: Check, left: number) => void;
}>;

/**
 * Repeats comparisons that disagree on fresh responses: each until it holds, or until it has failed three
 * times in quiet moments, which are those in which the responses before and after are the same. First all of
 * them are repeated together, because they share requests. What is then undecided is repeated on its own, so
 * that little time passes between its responses. What has failed remains undecided if the responses turn out
 * to go back and forth.
 */
export const confirmViolations = async (
  suspicions: readonly Suspicion[],
  options: ConfirmOptions,
): Promise<readonly Settled[]> => {
  const settled: Settled[] = [];
  let open: readonly Examined[] = suspicions.map((each) => ({ ...each, failures: 0, hasChanged: false }));
  for (let round = 0; round < quietFailures && open.length > 0; round += 1) {
    const slots = limitConcurrency(options.concurrency);
    const context = options.newContext();
    await stagger(round, open[0], options);
    const steps = await Promise.all(
      open.map((each) =>
        slots(() => {
          options.onProgress(each.check, open.length);
          return repeat(each, context);
        }),
      ),
    );
    const left: Examined[] = [];
    for (const [index, step] of steps.entries()) {
      const check = open[index]?.check;
      if ('left' in step) left.push(step.left);
      else if (check !== undefined) settled.push({ check, outcome: step.settled, exchanges: step.exchanges });
    }
    open = left;
  }
  for (const [index, each] of open.entries()) {
    options.onProgress(each.check, open.length - index);
    settled.push(await repeatAlone(each, options));
  }
  const failed = settled.filter(isViolated);
  const isUncertain =
    failed.length > 0 &&
    (await isFlipping(
      failed.flatMap(({ exchanges }) => exchanges),
      options.newContext,
    ));
  return isUncertain ? settled.map(undecided) : settled;
};

const isViolated = ({ outcome }: Settled): boolean => E.isRight(outcome) && outcome.right._tag === 'Violated';

const undecided = (settled: Settled): Settled =>
  E.isRight(settled.outcome) && settled.outcome.right._tag === 'Violated'
    ? { ...settled, outcome: E.right(changing(settled.outcome.right.violations)) }
    : settled;

const repeatAlone = async (suspicion: Examined, options: ConfirmOptions): Promise<Settled> => {
  const { check } = suspicion;
  let current = suspicion;
  for (let repetition = 0; repetition < maxRepetitions; repetition += 1) {
    await stagger(repetition, current, options);
    const step = await repeat(current, options.newContext());
    if (!('left' in step)) return { check, outcome: step.settled, exchanges: step.exchanges };
    current = step.left;
  }
  return { check, outcome: E.right(changing(current.violations)), exchanges: current.exchanges };
};

/**
 * Sends a request a few more times: responses that alternate with the requests must not always be compared at
 * the same point.
 */
const stagger = async (
  times: number,
  suspicion: Examined | undefined,
  { newContext }: ConfirmOptions,
): Promise<void> => {
  const request = suspicion?.exchanges[0]?.request;
  for (let count = 0; request !== undefined && count < times % quietFailures; count += 1)
    await newContext().client.send(request)();
};

const repeat = async (suspicion: Examined, context: FetchContext): Promise<Step> => {
  const { outcome, exchanges } = await runCheck(suspicion.check, context);
  if (E.isLeft(outcome)) return unmetStep(suspicion, outcome);
  if (outcome.right._tag === 'Passed') return { settled: outcome, exchanges };
  const wasQuiet = outcome.right._tag === 'Violated' && isQuiet(suspicion.exchanges, exchanges);
  const violations = outcome.right._tag === 'Violated' ? outcome.right.violations : suspicion.violations;
  const failures = wasQuiet ? suspicion.failures + 1 : 0;
  if (failures >= quietFailures) return { settled: outcome, exchanges };
  const hasChanged = suspicion.hasChanged || !wasQuiet;
  return { left: { ...suspicion, violations, exchanges, failures, hasChanged } };
};

/** What is not there any more has changed. Without further requests, nothing can be confirmed. */
const unmetStep = (suspicion: Examined, outcome: Outcome): Step => {
  const { exchanges } = suspicion;
  if (E.isRight(outcome)) return { settled: outcome, exchanges };
  switch (outcome.left._tag) {
    case 'Missing':
      return { left: { ...suspicion, failures: 0, hasChanged: true } };
    case 'BudgetSpent':
      return {
        exchanges,
        settled: E.right(
          suspicion.hasChanged
            ? changing(suspicion.violations)
            : notExercised(
                `more requests than --max-requests allows (${outcome.left.maxRequests}), to confirm a violation`,
                'unconfirmed',
              ),
        ),
      };
    case 'Unreachable':
    case 'ResponseTooLong':
      return { settled: outcome, exchanges };
  }
};

const changing = (violations: readonly Violation[]): Verdict => ({ _tag: 'ChangingData', violations });
