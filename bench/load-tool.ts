import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { peerFile } from './peers.js';
import { boundTo, type Processors } from './processors.js';
import { type LoadReport, parseWrk, rotatingScript } from './wrk.js';

/** Requests that are sent in turns instead of one. */
export type Rotation = Readonly<{
  /** Each line is a path, a space and a `Cookie` header. */
  file: string;
  /** How many of them were sent before. */
  skipped: number;
}>;

export type Load = Readonly<{
  /** With the path of the request. */
  url: string;
  headers: Readonly<Record<string, string>>;
  seconds: number;
  rotation?: Rotation;
}>;

/** Sends requests over kept-alive connections, each as soon as the response to the one before has arrived. */
export type LoadTool = Readonly<{ name: string; run: (load: Load) => Promise<LoadReport> }>;

export const connections = 32;

const run = promisify(execFile);

/** Runs a command, and gives what it prints. */
const output = async (processor: number | undefined, command: readonly [string, ...string[]]) => {
  const [program, ...words] = boundTo(processor, command);
  return (await run(program, words, { maxBuffer: 1e8 })).stdout;
};

const wrk = (directory: string, processors: Processors): LoadTool => ({
  name: 'wrk',
  run: async ({ url, headers, seconds, rotation }) => {
    const script = join(directory, 'rotate.lua');
    if (rotation !== undefined) await writeFile(script, rotatingScript(rotation.file, rotation.skipped));
    const printed = await output(processors?.load, [
      'wrk',
      ...['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '--timeout', '30s'],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(rotation === undefined ? [] : ['-s', script]),
      url,
    ]);
    const report = parseWrk(printed);
    if (report === null) throw new Error(`cannot read what wrk printed:\n${printed}`);
    return report;
  },
});

const Report = t.strict({ requests: t.number, seconds: t.number, p99: t.number, failures: t.number });

const autocannon = (processors: Processors): LoadTool => ({
  name: 'autocannon',
  run: async (load) => {
    const printed = await output(processors?.load, [
      process.execPath,
      peerFile('autocannon-load.js'),
      JSON.stringify({ ...load, connections }),
    ]);
    const report = Report.decode(JSON.parse(printed));
    if (E.isLeft(report)) throw new Error(`cannot read what autocannon printed:\n${printed}`);
    return report.right;
  },
});

/** wrk where it is installed, else autocannon, which takes more of a processor. Scripts go to a directory. */
export const chooseLoadTool = (directory: string, processors: Processors): LoadTool =>
  spawnSync('wrk', ['--version']).error === undefined ? wrk(directory, processors) : autocannon(processors);
