import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadTool, Rotation } from '../load-tool.js';
import { median } from '../median.js';
import { timeOfProcess } from '../processor-time.js';
import type { SectionContext } from '../section.js';
import type { Contestant } from './contestant.js';
import { shuffled } from './shuffled.js';

/** One round of one server: requests per second, processor time per request, latency in milliseconds. */
export type Round = Readonly<{ rate: number; microseconds: number; p99: number }>;

/** The rounds of one server. The rounds of several servers with the same index were measured in turn. */
export type Rounds = readonly Round[];

/** How often a round without a response is tried: a busy machine can starve a server for that long. */
const attempts = 3;

/** Measures one round. Throws if a response was an error, or if there was none. */
export const measureRound = async (
  tool: LoadTool,
  { name, url, headers, pid }: Contestant,
  seconds: number,
  rotation?: Rotation,
): Promise<Round & Readonly<{ requests: number }>> => {
  const time = timeOfProcess(pid);
  const load = { url, headers, seconds, ...(rotation === undefined ? {} : { rotation }) };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await time();
    const { requests, seconds: length, p99, failures } = await tool.run(load);
    const after = await time();
    if (failures > 0) throw new Error(`${name}: ${failures} of ${requests} requests failed`);
    if (requests === 0) continue;
    const microseconds =
      before === null || after === null ? Number.NaN : ((after - before) * 1000) / requests;
    return { rate: requests / length, microseconds, p99, requests };
  }
  throw new Error(`${name}: no request was answered`);
};

/** How something runs one round, as `measureRound` does. */
export type Runner = (seconds: number) => Promise<Round & Readonly<{ requests: number }>>;

/** Between two rounds, in milliseconds: what one has left behind is not the cost of the next. */
const pause = 200;

/** Until so many requests, or so many rounds, functions may not be compiled: these rounds do not count. */
const warmUp = { requests: 5000, rounds: 5 };

const warm = async (run: Runner, seconds: number): Promise<void> => {
  for (let round = 0, requests = 0; round < warmUp.rounds && requests < warmUp.requests; round += 1)
    requests += (await run(seconds)).requests;
};

/**
 * Runs several things in turns, each after some rounds that do not count. The order of each round is another
 * one: on a busy machine, it matters who runs after whom.
 */
export const inTurns = async (
  { print, rounds, seconds }: Pick<SectionContext, 'print' | 'rounds' | 'seconds'>,
  runners: readonly Runner[],
): Promise<readonly Rounds[]> => {
  const minutes = (runners.length * (rounds + 2) * (seconds + 0.1 + pause / 1000)) / 60;
  print(
    `${runners.length} in turns, ${rounds} rounds of ${seconds} s: about ${minutes.toFixed(1)} minutes …`,
  );
  const measured = runners.map((run): { run: Runner; rounds: Round[] } => ({ run, rounds: [] }));
  for (const { run } of measured) await warm(run, seconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const index of shuffled(measured.length, round)) {
      const each = measured[index];
      if (each === undefined) continue;
      await sleep(pause);
      each.rounds.push(await each.run(seconds));
    }
  }
  return measured.map((each) => each.rounds);
};

/** The median of the ratios of one figure, round by round. */
export const medianRatio = (ours: Rounds, theirs: Rounds, figure: keyof Round): number =>
  median(ours.map((round, i) => round[figure] / (theirs[i]?.[figure] ?? Number.NaN)));

/** The median of one figure. */
export const medianOf = (rounds: Rounds, figure: keyof Round): number =>
  median(rounds.map((round) => round[figure]));

/** How many times theirs our server is: by throughput, and by processor time per request. */
export const ratiosOf = (
  ours: Rounds,
  theirs: Rounds,
): Readonly<{ value: number; byProcessorTime: number | null }> => {
  const byProcessorTime = medianRatio(theirs, ours, 'microseconds');
  return {
    value: medianRatio(ours, theirs, 'rate'),
    byProcessorTime: Number.isNaN(byProcessorTime) ? null : byProcessorTime,
  };
};
