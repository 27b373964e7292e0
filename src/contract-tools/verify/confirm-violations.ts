import * as E from '#fp-ts/Either';
import { limitConcurrency } from '../../common/concurrency.js';
import type { Exchange } from './caching-client.js';
import type { Check } from './check.js';
import { isFlipping } from './flipping.js';
import type { FetchContext } from './need.js';
import { isQuiet } from './quiet-moment.js';
import { type CheckRun, runCheck } from './run-check.js';
import type { UnmetPrerequisite } from './unmet-prerequisite.js';
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

type Step = Readonly<{ settled: CheckRun }> | Readonly<{ open: Examined }>;

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
): Promise<readonly CheckRun[]> => {
  const settled: CheckRun[] = [];
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
    settled.push(...steps.flatMap((step) => ('settled' in step ? [step.settled] : [])));
    open = steps.flatMap((step) => ('open' in step ? [step.open] : []));
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

const isViolated = ({ outcome }: CheckRun): boolean =>
  E.isRight(outcome) && outcome.right._tag === 'Violated';

const undecided = (settled: CheckRun): CheckRun =>
  E.isRight(settled.outcome) && settled.outcome.right._tag === 'Violated'
    ? { ...settled, outcome: E.right(changing(settled.outcome.right.violations)) }
    : settled;

const repeatAlone = async (suspicion: Examined, options: ConfirmOptions): Promise<CheckRun> => {
  const { check } = suspicion;
  let current = suspicion;
  for (let repetition = 0; repetition < maxRepetitions; repetition += 1) {
    await stagger(repetition, current, options);
    const step = await repeat(current, options.newContext());
    if ('settled' in step) return step.settled;
    current = step.open;
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
  const run = await runCheck(suspicion.check, context);
  const { outcome, exchanges } = run;
  if (E.isLeft(outcome)) return unmetStep(suspicion, outcome.left);
  if (outcome.right._tag === 'Passed') return { settled: run };
  const wasQuiet = outcome.right._tag === 'Violated' && isQuiet(suspicion.exchanges, exchanges);
  const violations = outcome.right._tag === 'Violated' ? outcome.right.violations : suspicion.violations;
  const failures = wasQuiet ? suspicion.failures + 1 : 0;
  if (failures >= quietFailures) return { settled: run };
  const hasChanged = suspicion.hasChanged || !wasQuiet;
  return { open: { ...suspicion, violations, exchanges, failures, hasChanged } };
};

/** What is not there any more has changed. Without further requests, nothing can be confirmed. */
const unmetStep = (suspicion: Examined, unmet: UnmetPrerequisite): Step => {
  const { check, exchanges, violations, hasChanged } = suspicion;
  switch (unmet._tag) {
    case 'Missing':
      return { open: { ...suspicion, failures: 0, hasChanged: true } };
    case 'BudgetSpent': {
      const needed = `more requests than --max-requests allows (${unmet.maxRequests}), to confirm a violation`;
      const verdict = hasChanged ? changing(violations) : notExercised(needed, 'unconfirmed');
      return { settled: { check, exchanges, outcome: E.right(verdict) } };
    }
    case 'Unreachable':
    case 'ResponseTooLong':
      return { settled: { check, exchanges, outcome: E.left(unmet) } };
  }
};

const changing = (violations: readonly Violation[]): Verdict => ({ _tag: 'ChangingData', violations });
