import { median } from './median.js';
import type { ProcessorTime } from './processor-time.js';
import type { WriteCase } from './write-cases.js';
import type { Writers } from './write-load.js';

/** One of the two databases: who writes to it, and what they write. */
export type WriteSide = Readonly<{ writers: Writers; cases: readonly WriteCase[] }>;

export type PairedWrites = Readonly<{
  /** How many transactions are measured at a time. */
  run: number;
  pairs: number;
  /** The processor time of both databases. */
  time: ProcessorTime;
}>;

type Measurement = Readonly<{ rate: number; processor: number; deadlocks: number }>;
type Pair = Readonly<{ counted: Measurement; plain: Measurement }>;

/**
 * Runs all cases on a database with counts and on one without, in turns, and gives lines that compare them.
 * All cases run once before the next pair, so that the rows that one inserts are deleted by another.
 */
export const compareWrites = async (
  { run, pairs, time }: PairedWrites,
  counted: WriteSide,
  plain: WriteSide,
): Promise<readonly string[]> => {
  const measure = async (writers: Writers, writeCase: WriteCase | undefined): Promise<Measurement> => {
    if (writeCase === undefined) throw new Error('the two databases have different cases');
    const before = await time();
    const { perSecond, deadlocks } = await writers.run(writeCase, run);
    const after = await time();
    const processor = before === null || after === null ? Number.NaN : (after - before) / run;
    return { rate: perSecond, processor, deadlocks };
  };
  const measured = counted.cases.map(({ title }) => ({ title, pairs: [] as Pair[] }));
  for (let pair = 0; pair <= pairs; pair += 1) {
    for (const [index, { pairs }] of measured.entries()) {
      const both = {
        counted: await measure(counted.writers, counted.cases[index]),
        plain: await measure(plain.writers, plain.cases[index]),
      };
      // The first pair warms up.
      if (pair > 0) pairs.push(both);
    }
  }
  return measured.map(({ title, pairs }) => `${title}: ${summary(pairs)}`);
};

const summary = (pairs: readonly Pair[]): string => {
  const ratio = median(pairs.map(({ counted, plain }) => counted.rate / plain.rate));
  const both = (of: (measurement: Measurement) => number, digits: number): string =>
    [pairs.map(({ counted }) => of(counted)), pairs.map(({ plain }) => of(plain))]
      .map((values) => median(values).toFixed(digits))
      .join(' and ');
  const deadlocks = pairs.reduce((sum, { counted }) => sum + counted.deadlocks, 0);
  return [
    `× ${ratio.toFixed(2)} of the rate without counts`,
    `${both(({ rate }) => rate, 0)} per second`,
    `PostgreSQL ${both(({ processor }) => processor, 2)} ms each`,
    `${deadlocks} deadlocks`,
  ].join('; ');
};
