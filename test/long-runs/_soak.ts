import { readdirSync, readFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { seededRandom } from '../../src/common/seeded-random.js';
import { amount } from '../_runs.js';
import type { Running } from '../cli/_cli.js';

const seed = amount('TEST_SEED', 1 + Math.floor(Math.random() * 2 ** 31));

/** Prints the seed of a test, and returns the random choices of its parts. */
export const randomOf = (t: ExecutionContext): ((part: number) => () => number) => {
  t.log(`TEST_SEED=${seed}`);
  return (part) => seededRandom(seed + part * 7919);
};

export const pick = <A>(random: () => number, choices: readonly A[]): A | undefined =>
  choices[Math.floor(random() * choices.length)];

/** Does the same work in so many lanes at once. */
export const inLanes = async (count: number, lane: (index: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, index) => lane(index)));
};

/** Options of a server that one address may use as much as it likes. */
export const unlimited: readonly string[] = [
  ...['--log-level=warn', '--no-watch', '--mutable-demo'],
  ...'signup login login-account login-address login-rate'
    .split(' ')
    .map((name) => `--${name}-limit=1000000`),
];

/** Lines of a log that tell of a fault in the program, or of a timer or listener that Node warns about. */
export const faultsIn = ({ out, err }: Pick<Running, 'out' | 'err'>): readonly string[] =>
  `${out()}${err()}`.match(/^.*(?:unhandled|uncaught|FATAL ERROR|Warning: |^ {4}at ).*$/gim) ?? [];

/** The memory of a process in mebibytes, and the number of its open files. */
export type Usage = Readonly<{ memory: number; files: number }>;

/** What a process uses; nothing where the system does not tell, as all but Linux. */
export const usageOf = (pid: number | undefined): readonly Usage[] => {
  if (process.platform !== 'linux') return [];
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return [{ memory: Number(resident) / 1024, files: readdirSync(`/proc/${pid}/fd`).length }];
};
