import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeFixtureFiles } from './fixture-files.js';
import { median } from './median.js';
import { atMost, reportOf, type SectionContext, type SectionReport, withoutGoal } from './section.js';
import { withTemporaryDirectory } from './temporary-directory.js';

/** What one process needed: times in milliseconds, peak memory in bytes. */
type Costs = Readonly<{ wall: number; processor: number; memory: number }>;

const measurements = {
  parse: 'JSON.parse',
  read: 'read and validate',
  load: 'read, validate and index',
} as const;
type Measurement = keyof typeof measurements;

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
 * How long fixture files take to be read, and to be read and indexed as `serve` does, as multiples of
 * `JSON.parse` of the same files; and their peak memory as a multiple of the size of the files. Each
 * measurement is a process of its own; rounds are interleaved, and the figures are medians.
 */
export const benchLoadTime = ({ print, quick, rounds }: SectionContext): Promise<SectionReport> =>
  withTemporaryDirectory(async (directory) => {
    const [rows, files] = [quick ? 50_000 : 1_000_000, 10];
    const what = `${rows.toLocaleString('en')} findings and as many pull requests in ${files} files`;
    print(`writing ${what} …`);
    await writeFixtureFiles(directory, { rows, files });
    const size = await sizeOf(directory);
    print(`${mebibytes(size)}; peak memory is given as a multiple of that, times as multiples of JSON.parse`);
    const found: Record<Measurement, Costs[]> = { parse: [], read: [], load: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const measurement of ['parse', 'read', 'load'] as const)
        found[measurement].push(await costsOf(measurement, directory));
      print(`round ${round + 1} of ${rounds} is done`);
    }
    const medianOf = (measurement: Measurement, key: keyof Costs): number =>
      median(found[measurement].map((costs) => costs[key]));
    /** Each round is compared with itself, because the machine may be busier in one than in another. */
    const ratio = (measurement: Measurement, key: 'wall' | 'processor'): number =>
      median(
        found[measurement].map((costs, round) => costs[key] / (found.parse[round]?.[key] ?? Number.NaN)),
      );
    const memory = (measurement: Measurement): number => medianOf(measurement, 'memory') / size;
    for (const measurement of ['parse', 'read', 'load'] as const) {
      print(
        `${measurements[measurement]}: ${medianOf(measurement, 'wall').toFixed(0)} ms ` +
          `(× ${ratio(measurement, 'wall').toFixed(2)}), ${medianOf(measurement, 'processor').toFixed(0)} ms of ` +
          `processor time (× ${ratio(measurement, 'processor').toFixed(2)}), peak memory ` +
          `${mebibytes(medianOf(measurement, 'memory'))} (× ${memory(measurement).toFixed(2)})`,
      );
    }
    const comparedWith = 'JSON.parse of the same files';
    return reportOf(
      atMost(2.5, {
        measure: `Load of ${what}`,
        comparedWith,
        value: ratio('load', 'wall'),
        byProcessorTime: ratio('load', 'processor'),
      }),
      withoutGoal({
        measure: 'The same without the index',
        comparedWith,
        value: ratio('read', 'wall'),
        byProcessorTime: ratio('read', 'processor'),
      }),
      atMost(3, {
        measure: 'Peak memory of that load',
        comparedWith: 'the size of the files',
        value: memory('load'),
      }),
      withoutGoal({
        measure: 'Peak memory of JSON.parse alone',
        comparedWith: 'the size of the files',
        value: memory('parse'),
      }),
    );
  });
