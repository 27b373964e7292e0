import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Processors, Program, ServerProcess } from './processes.js';

/** How to measure, and what a section needs for it. */
export type Context = Readonly<{
  print: (line: string) => void;
  /** Less data: for trying things out. */
  quick: boolean;
  rounds: number;
  /** The length of a round. */
  seconds: number;
  connections: number;
  /** Numbers of rows, for sections that measure several. */
  rows: readonly number[];
  /** Another checkout of this project, built. */
  against: string | undefined;
  processors: Processors;
  /** An empty directory that is removed after the section. */
  directory: string;
  /**
   * Starts a server that is stopped at the end of the section. What it prints goes to a file of this name.
   */
  start: (name: string, program: Omit<Program, 'log' | 'processor'>) => Promise<ServerProcess>;
}>;

/** One line of the table of results. */
export type Result = Readonly<{
  measure: string;
  /** What it is compared with, unless it is a figure of its own. */
  comparedWith?: string;
  value: number;
  /** The lowest and the highest ratio of a round. */
  range?: readonly [number, number];
  /** The same ratio by processor time instead of throughput or time. */
  byProcessorTime?: number;
  unit?: '×' | 'ms' | 'MB' | '';
  atLeast?: number;
  atMost?: number;
}>;

/** What one server did under load: requests per second, microseconds per request, latency in milliseconds. */
export type ServerFigures = Readonly<{
  name: string;
  work: string;
  rate: number;
  processor: number;
  database: number;
  p50: number;
  p99: number;
}>;

export type Report = Readonly<{ results: readonly Result[]; servers?: readonly ServerFigures[] }>;

/** A part of the benchmark that can run alone. */
export type Section = Readonly<{
  name: string;
  about: string;
  run: (context: Context) => Promise<Report>;
}>;

const digits = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

const withUnit = (value: number | undefined, unit: Result['unit'] = '×'): string => {
  if (value === undefined || Number.isNaN(value)) return '';
  return unit === '×' ? `× ${digits(value)}` : unit === '' ? `${value}` : `${digits(value)} ${unit}`;
};

const goalOf = ({ value, unit, atLeast, atMost }: Result): string => {
  const bound = atLeast ?? atMost;
  if (bound === undefined) return '';
  const goal = `at ${atLeast === undefined ? 'most' : 'least'} ${withUnit(bound, unit)}`;
  const isReached = atLeast === undefined ? value <= bound : value >= bound;
  return isReached ? goal : `${goal}: **no**`;
};

/** A table in Markdown, with columns of equal width, so that it can also be read in a terminal. */
const table = (
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  numbersFrom: number,
): string => {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, 4, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, i) =>
      i < numbersFrom ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, i) => (i < numbersFrom ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(headings), line(rule), ...rows.map(line)].join('\n');
};

export const resultsTable = (results: readonly Result[]): string =>
  table(
    ['measure', 'compared with', 'ours', 'rounds', 'by processor time', 'goal'],
    results.map((result) => {
      const { measure, comparedWith = '', value, range, byProcessorTime, unit } = result;
      const rounds = range === undefined ? '' : range.map(digits).join(' to ');
      const ratios = [withUnit(value, unit), rounds, withUnit(byProcessorTime, unit)];
      return [measure, comparedWith, ...ratios, goalOf(result)];
    }),
    2,
  );

export const serversTable = (servers: readonly ServerFigures[]): string => {
  const hasDatabase = servers.some(({ database }) => database > 0);
  const time = (microseconds: number): string =>
    Number.isNaN(microseconds) ? '' : `${Math.round(microseconds)} µs`;
  return table(
    [
      'server',
      'for each request, it',
      'requests/s',
      'processor time',
      ...(hasDatabase ? ['of it PostgreSQL'] : []),
      'median latency',
      'p99 latency',
    ],
    servers.map(({ name, work, rate, processor, database, p50, p99 }) => [
      name,
      work,
      Math.round(rate).toLocaleString('en'),
      time(processor),
      ...(hasDatabase ? [time(database)] : []),
      `${p50.toFixed(2)} ms`,
      `${p99.toFixed(2)} ms`,
    ]),
    2,
  );
};

const git = (...words: readonly string[]): string => {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** Where, when and of what the run that begins now is. */
export const circumstances = ({ rounds, seconds }: Pick<Context, 'rounds' | 'seconds'>): string => {
  const commit = git('rev-parse', '--short', 'HEAD') || 'unknown';
  const changed = git('status', '--porcelain', '--', 'src', 'bin') === '' ? '' : ' with changes';
  const model = cpus()[0]?.model.trim().replaceAll(/\s+/g, ' ') ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${cpus().length} × ${model}, ${memory} GB, ${type()} ${release()}`;
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}, commit ${commit}${changed}, Node ${process.version}, ` +
    `${machine}; ${rounds} rounds of ${seconds} s; load average before: ${loadavg()[0]?.toFixed(1)}.`
  );
};
