import * as E from '#fp-ts/Either';
import { type ApiRequest, describeRequest } from '../../client/outgoing-request.js';
import { limitConcurrency } from '../../common/concurrency.js';
import { canonicalJson } from '../../common/json.js';
import { type Check, type CheckRun, notExercised, runCheck, type Verdict, type Violation } from './check.js';
import type { FetchContext, UnmetPrerequisite } from './need.js';
import type { Exchange } from './requests.js';
import { contractPart } from './rows.js';

/**
 * The responses of two points in time are the same, as far as the contract describes them: in between, no
 * data has changed that they show.
 */
const isQuiet = (before: readonly Exchange[], after: readonly Exchange[]): boolean => {
  const known = new Map(before.map((exchange) => [describeRequest(exchange.request), exchange]));
  return (
    before.length === after.length &&
    after.every((exchange) => {
      const earlier = known.get(describeRequest(exchange.request));
      return earlier !== undefined && isSameContent(earlier, exchange);
    })
  );
};

/** Two responses to the same request say the same, as far as the contract describes them. */
const isSameContent = (left: Exchange, right: Exchange): boolean =>
  left.response.status === right.response.status &&
  (left.response.text === right.response.text || contentOf(left) === contentOf(right));

const contentOf = ({ body, response }: Exchange): string =>
  body === undefined ? response.text : canonicalJson(contractPart(body));

/** How many requests are probed, and how often each is sent. */
const maxProbed = 3;
const times = 12;

/**
 * Whether responses go back and forth between states, as those of two replicas do that answer in turn. What
 * is the same before and after a comparison was then not necessarily the same in between. The longest
 * responses are probed, since they show the most data.
 */
const isFlipping = async (
  exchanges: readonly Exchange[],
  newContext: () => FetchContext,
): Promise<boolean> => {
  const byRequest = new Map(exchanges.map((exchange) => [describeRequest(exchange.request), exchange]));
  const probed = Array.from(byRequest.values())
    .sort((left, right) => right.response.text.length - left.response.text.length)
    .slice(0, maxProbed);
  for (const { request } of probed) {
    if (comesBack(await repeated(request, newContext))) return true;
  }
  return false;
};

const repeated = async (
  request: ApiRequest,
  newContext: () => FetchContext,
): Promise<readonly Exchange[]> => {
  const found: Exchange[] = [];
  for (let count = 0; count < times; count += 1) {
    const exchange = await newContext().client.send(request)();
    if (E.isRight(exchange)) found.push(exchange.right);
  }
  return found;
};

/** Whether a response is the same as an earlier one, after another one in between. */
const comesBack = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((exchange, index) => {
    const before = exchanges.slice(0, index);
    const last = before.at(-1);
    return (
      last !== undefined &&
      !isSameContent(last, exchange) &&
      before.some((earlier) => isSameContent(earlier, exchange))
    );
  });

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

type ConfirmOptions = Readonly<{
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
