import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { SectionReport } from './section.js';

/** Where and when something was measured, and of what. */
const Circumstances = t.strict({
  date: t.string,
  commit: t.string,
  node: t.string,
  machine: t.string,
  /** How many rounds of how many seconds. */
  rounds: t.string,
  /** How many processes wanted a processor in the minute before. */
  load: t.number,
});
type Circumstances = t.TypeOf<typeof Circumstances>;

export const RecordedSection = t.strict({
  name: t.string,
  circumstances: Circumstances,
  report: SectionReport,
});
export type RecordedSection = t.TypeOf<typeof RecordedSection>;

/** The last recorded run of each section. */
export const Recorded = t.strict({ sections: t.readonlyArray(RecordedSection) });
export type Recorded = t.TypeOf<typeof Recorded>;

const file = fileURLToPath(new URL('../../bench/recorded.json', import.meta.url));

export const readRecorded = async (): Promise<Recorded> => {
  const decoded = Recorded.decode(JSON.parse(await readFile(file, 'utf8')));
  if (E.isLeft(decoded)) throw new Error('bench/recorded.json is invalid');
  return decoded.right;
};

export const writeRecorded = (recorded: Recorded): Promise<void> =>
  writeFile(file, `${JSON.stringify(Recorded.encode(recorded), null, 2)}\n`);

/** Replaces sections of a record, and keeps the others. The order is that of `names`. */
export const merged = (
  { sections }: Recorded,
  changed: readonly RecordedSection[],
  names: readonly string[],
): Recorded => ({
  sections: names.flatMap((name) => {
    const found = [...changed, ...sections].find((section) => section.name === name);
    return found === undefined ? [] : [found];
  }),
});

const git = (...words: readonly string[]): string => {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** The commit that is checked out, and whether the source has been changed since. */
const commit = (): string => {
  const name = git('rev-parse', '--short', 'HEAD');
  if (name === '') return 'unknown';
  return git('status', '--porcelain', '--', 'src', 'bin') === '' ? name : `${name} with changes`;
};

/** What applies to the run that begins now. */
export const circumstances = (rounds: number, seconds: number): Circumstances => {
  const [load = 0] = loadavg();
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = processors[0]?.model.trim().replaceAll(/\s+/g, ' ') ?? 'unknown processor';
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    node: process.version,
    machine: `${processors.length} × ${model}, ${memory} GB, ${type()} ${release()}`,
    rounds: `${rounds} of ${seconds} s`,
    load: Math.round(load * 10) / 10,
  };
};
