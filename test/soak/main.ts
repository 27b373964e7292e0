import { allRuns } from './_all-runs.js';
import { executeRun } from './_execute.js';
import { readSoakOptions } from './_options.js';
import { type Finished, tableOf, verdictOf } from './core/_table.js';

/** How often progress is shown, in milliseconds. */
const progressInterval = 500;

const isTerminal = process.stderr.isTTY === true;

const progressOf = (name: string) => {
  let last = 0;
  return (text: string): void => {
    if (!isTerminal || performance.now() - last < progressInterval) return;
    last = performance.now();
    process.stderr.write(`\r\u001b[K${name}: ${text}`);
  };
};

const options = readSoakOptions(allRuns, process.argv.slice(2));
if ('usage' in options) {
  const stream = options.isWrong ? process.stderr : process.stdout;
  stream.write(`${options.usage}\n`);
  process.exitCode = options.isWrong ? 2 : 0;
} else {
  const { runs, seed, from } = options;
  const finished: Finished[] = [];
  for (const run of runs) {
    const done = await executeRun(run, { seed, from, progress: progressOf(run.name) });
    finished.push(done);
    process.stderr.write(`${isTerminal ? '\r\u001b[K' : ''}${done.name}: ${verdictOf(done.result)}\n`);
  }
  process.stdout.write(`${tableOf(finished)}\n`);
  if (finished.some(({ result }) => verdictOf(result) === 'FAILED')) process.exitCode = 1;
}
