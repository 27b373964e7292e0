import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { positive, readArguments } from './arguments.js';
import { writeFixtureFiles } from './fixture-files.js';
import { median } from './median.js';

/** What one process needed: times in milliseconds, peak memory in bytes. */
type Costs = Readonly<{ wall: number; processor: number; memory: number }>;

export type LoadTimeOptions = Readonly<{
  /** Findings, and as many pull requests, in all files together. */
  rows: number;
  /** Fixture files of one tenant each. */
  files: number;
  /** Rounds of one measurement each; default: 3. */
  rounds?: number;
}>;

export type LoadTimes = Readonly<{
  /** The size of the files in bytes. */
  size: number;
  /** The time of the whole load as a multiple of that of `JSON.parse` of the same files. */
  loadRatio: number;
  /** The same of processor time. */
  processorRatio: number;
  /** The same without the index: reading and validating alone. */
  readRatio: number;
  /** The peak memory of the whole load as a multiple of the size of the files. */
  memoryRatio: number;
  readMemoryRatio: number;
  parseMemoryRatio: number;
}>;

const measurements = ['parse', 'read', 'load'] as const;
type Measurement = (typeof measurements)[number];

const work = fileURLToPath(new URL('./load-time-work.js', import.meta.url));

const costsOf = async (measurement: Measurement, directory: string): Promise<Costs> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=16384',
    work,
    measurement,
    directory,
  ]);
  const { wall, processor, memory } = Object(JSON.parse(stdout));
  return { wall: Number(wall), processor: Number(processor), memory: Number(memory) };
};

const sizeOf = async (directory: string): Promise<number> => {
  const sizes = await Promise.all(
    (await readdir(directory)).map(async (name) => (await stat(join(directory, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/**
 * Prints how long fixture files take to be read, and to be read and indexed as `serve` does, as multiples of
 * `JSON.parse` of the same files; and their peak memory as a multiple of the size of the files. Each
 * measurement is a process of its own; rounds are interleaved, and the figures are medians.
 */
export const benchLoadTime = async (
  print: (line: string) => void,
  { rows, files, rounds = 3 }: LoadTimeOptions,
): Promise<LoadTimes> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-bench-'));
  try {
    await writeFixtureFiles(directory, { rows, files });
    const size = await sizeOf(directory);
    const found: Record<Measurement, Costs[]> = { parse: [], read: [], load: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const measurement of measurements) found[measurement].push(await costsOf(measurement, directory));
    }
    const costs = (measurement: Measurement): Costs => ({
      wall: median(found[measurement].map(({ wall }) => wall)),
      processor: median(found[measurement].map(({ processor }) => processor)),
      memory: median(found[measurement].map(({ memory }) => memory)),
    });
    /** Each round is compared with itself, because the machine may be busier in one than in another. */
    const ratio = (measurement: Measurement, key: 'wall' | 'processor'): number =>
      median(
        found[measurement].map((costs, round) => costs[key] / (found.parse[round]?.[key] ?? Number.NaN)),
      );
    print(`load of ${rows} findings and as many pull requests in ${files} files (${mebibytes(size)}):`);
    for (const [measurement, name] of [
      ['parse', 'JSON.parse'],
      ['read', 'read and validate'],
      ['load', 'read, validate and index'],
    ] as const) {
      const { wall, processor, memory } = costs(measurement);
      print(
        `  ${name}: ${wall.toFixed(0)} ms (× ${ratio(measurement, 'wall').toFixed(2)}), ` +
          `${processor.toFixed(0)} ms of processor time (× ${ratio(measurement, 'processor').toFixed(2)}), ` +
          `peak memory ${mebibytes(memory)} (× ${(memory / size).toFixed(2)} of the size of the files)`,
      );
    }
    return {
      size,
      loadRatio: ratio('load', 'wall'),
      processorRatio: ratio('load', 'processor'),
      readRatio: ratio('read', 'wall'),
      memoryRatio: costs('load').memory / size,
      readMemoryRatio: costs('read').memory / size,
      parseMemoryRatio: costs('parse').memory / size,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
};

const usage = 'usage: node build/bench/load-time.js [rows] [files]';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = readArguments(usage, () => {
    const [rows = '100000', files = '10'] = process.argv.slice(2);
    return { rows: positive(rows), files: positive(files) };
  });
  await benchLoadTime((line) => process.stdout.write(`${line}\n`), options);
}
