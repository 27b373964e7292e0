import * as E from '#fp-ts/Either';
import { describeRequest, type OutgoingRequest } from '../client/outgoing-request.js';
import { limitConcurrency } from '../common/concurrency.js';
import { canonicalJson } from '../common/json.js';
import { type Check, type CheckRun, runCheck, type Violation } from './check.js';
import type { Exchange } from './exchange.js';
import { NotExercised } from './not-exercised.js';
import { contractPart } from './rows.js';
import type { Server } from './server.js';
import type { RunOptions } from './verify.js';

/** Two sets of responses say the same: no data has changed in between that they show. */
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
const [maxProbed, probes] = [3, 12];

/**
 * Whether responses go back and forth between states, as those of two replicas do that answer in turn. What
 * is the same before and after a comparison was then not necessarily the same in between. The longest
 * responses are probed, since they show the most data.
 */
const isFlipping = async (exchanges: readonly Exchange[], newServer: () => Server): Promise<boolean> => {
  const byRequest = new Map(exchanges.map((exchange) => [describeRequest(exchange.request), exchange]));
  const probed = Array.from(byRequest.values())
    .sort((left, right) => right.response.text.length - left.response.text.length)
    .slice(0, maxProbed);
  for (const { request } of probed) {
    const found = await sendAnew(request, probes, newServer);
    const comesBack = found.some((exchange, index) => {
      const earlier = found.slice(0, index).map((each) => isSameContent(each, exchange));
      return earlier.at(-1) === false && earlier.includes(true);
    });
    if (comesBack) return true;
  }
  return false;
};

const sendAnew = async (
  request: OutgoingRequest,
  times: number,
  newServer: () => Server,
): Promise<readonly Exchange[]> => {
  const found: Exchange[] = [];
  for (let count = 0; count < times; count += 1) {
    const exchange = await newServer().client.send(request);
    if (E.isRight(exchange)) found.push(exchange.right);
  }
  return found;
};

/** How often in a row a comparison has to fail in a quiet moment. */
const quietFailures = 3;

/** How often a comparison is repeated on its own, if it was not decided together with the others. */
const maxRepetitions = 8;

/** A check that found violations, and how often in a row it did so in quiet moments. */
type Suspicion = Readonly<{
  check: Check;
  violations: readonly Violation[];
  exchanges: readonly Exchange[];
  failures: number;
  /** Whether the data has ever changed since the first of them. */
  hasChanged: boolean;
}>;

/**
 * The runs by their checks. Comparisons that disagree are repeated on fresh responses: each until it holds,
 * or until it has failed three times in quiet moments, which are those in which the responses before and
 * after are the same. First all of them are repeated together, because they share requests. What is then
 * undecided is repeated on its own, so that little time passes between its responses. All remain undecided if
 * the responses go back and forth. A violation in a single response counts at once.
 */
export const confirmViolations = async (
  runs: readonly CheckRun[],
  { newServer, concurrency, onProgress }: RunOptions,
): Promise<ReadonlyMap<Check, CheckRun>> => {
  const settled = new Map(runs.map((run) => [run.check, run]));
  const suspicions = runs.flatMap(({ check, verdict, exchanges }) =>
    check.stage === 'compared' && verdict._tag === 'Violated'
      ? [{ check, violations: verdict.violations, exchanges, failures: 0, hasChanged: false }]
      : [],
  );
  /** Repeats some up to so many times, and gives those that are undecided. */
  const examine = async (some: readonly Suspicion[], times: number): Promise<readonly Suspicion[]> => {
    let open = some;
    for (let round = 0; round < times && open.length > 0; round += 1) {
      const request = open[0]?.exchanges[0]?.request;
      // Further requests shift when responses that alternate are compared.
      if (request !== undefined) await sendAnew(request, round % quietFailures, newServer);
      const slots = limitConcurrency(concurrency);
      const server = newServer();
      const left = open.length;
      const repeated = open.map((each) =>
        slots(() => {
          onProgress({ stage: 'confirming', left, check: each.check });
          return repeat(each, server);
        }),
      );
      const steps = await Promise.all(repeated);
      for (const step of steps) if ('verdict' in step) settled.set(step.check, step);
      open = steps.filter((step) => 'failures' in step);
    }
    return open;
  };
  const found = suspicions.flatMap(({ exchanges }) => exchanges);
  const isHopeless = await isFlipping(found, newServer);
  const undecided = isHopeless ? [...suspicions] : [];
  for (const each of isHopeless ? [] : await examine(suspicions, quietFailures))
    undecided.push(...(await examine([each], maxRepetitions)));
  for (const { check, violations, exchanges } of undecided)
    settled.set(check, { check, exchanges, verdict: { _tag: 'ChangingData', violations } });
  return settled;
};

/** Repeats a comparison: it is settled, or has to be repeated once more. */
const repeat = async (suspicion: Suspicion, server: Server): Promise<CheckRun | Suspicion> => {
  const run = await runCheck(suspicion.check, server);
  const { verdict, exchanges } = run;
  if (verdict._tag === 'Violated') {
    const { violations } = verdict;
    const wasQuiet = isQuiet(suspicion.exchanges, exchanges);
    const failures = wasQuiet ? suspicion.failures + 1 : 0;
    const hasChanged = suspicion.hasChanged || !wasQuiet;
    return failures >= quietFailures ? run : { ...suspicion, violations, exchanges, failures, hasChanged };
  }
  if (verdict._tag !== 'NotExercised' || verdict.stopped !== null) return run;
  // What is not there any more has changed.
  if (verdict.reason !== 'requests') return { ...suspicion, exchanges, failures: 0, hasChanged: true };
  // Without further requests, nothing can be confirmed.
  return {
    ...run,
    verdict: suspicion.hasChanged
      ? { _tag: 'ChangingData', violations: suspicion.violations }
      : new NotExercised(`${verdict.needed}, to confirm a violation`, 'unconfirmed'),
  };
};
