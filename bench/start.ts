import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { median } from './load.js';
import {
  benchProgram,
  cleanEnvironment,
  memoryOf,
  type Program,
  serveWords,
  statusOf,
  timeOfEndedChildren,
  timeOfProcess,
  triageApi,
} from './processes.js';
import type { Context, Report } from './report.js';
import { writeBody } from './requests.js';

const path = '/api/v1/findings';
const headers = { cookie: 'session=acme-session' };

/** How many requests a server answers, and how long it is left alone, before its memory is read. */
const requests = 20;
const idle = 1000;

/** What one start of a server took: times in milliseconds, memory in megabytes. */
type Start = Readonly<{ time: number; processor: number; memory: number }>;

const startOnce = async (context: Context, name: string, words: Program['words']): Promise<Start> => {
  const started = performance.now();
  const { url, pid, stop } = await context.start(name, { words, path, headers });
  const time = performance.now() - started;
  const processor = await timeOfProcess(pid)();
  for (let i = 0; i < requests; i += 1) await statusOf(`${url}${path}`, headers);
  await sleep(idle);
  const memory = (await memoryOf(pid, 'now')) / 1e6;
  await stop();
  return { time, processor, memory };
};

/** The time to the first answer and the memory at rest, with the shipped fixtures, against bare Koa. */
export const start = async (context: Context): Promise<Report> => {
  const body = await writeBody(context, 'body', JSON.stringify({ items: 'x'.repeat(5000), total: 25 }));
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < context.rounds; round += 1) {
    ours.push(await startOnce(context, 'ours', serveWords([])));
    theirs.push(await startOnce(context, 'koa', (port) => [benchProgram('servers/bare'), 'koa', body, port]));
  }
  const ratio = (figure: keyof Start): number => {
    const [our, their] = [ours, theirs].map((starts) => median(starts.map((each) => each[figure])));
    context.print(`${figure}: ${our?.toFixed(0)}, bare Koa ${their?.toFixed(0)} (ms or MB)`);
    return (our ?? Number.NaN) / (their ?? Number.NaN);
  };
  const comparedWith = 'bare Koa';
  return {
    results: [
      {
        measure: 'Start to first answer, shipped fixtures',
        comparedWith,
        value: ratio('time'),
        byProcessorTime: ratio('processor'),
        atMost: 2,
      },
      { measure: 'Memory at rest, shipped fixtures', comparedWith, value: ratio('memory'), atMost: 1.5 },
    ],
  };
};

/** How often each program runs in a round: the processor time of one run is too short to be counted well. */
const runs = 10;

/** The processor time of commands that do little, such as the one that containers run every few seconds. */
export const commands = async (context: Context): Promise<Report> => {
  const { print, rounds } = context;
  const { url } = await context.start('server', { words: serveWords([]), path: '/readyz' });
  const programs: readonly Readonly<{ name: string; words: readonly string[]; times: number[] }>[] = [
    { name: 'bare Node', words: ['-e', '0'], times: [] },
    { name: '--version', words: [triageApi(), '--version'], times: [] },
    { name: 'healthcheck', words: [triageApi(), 'healthcheck', '--url', url], times: [] },
  ];
  for (let round = 0; round < rounds; round += 1) {
    // In turns, so that all are measured on a machine that is as busy.
    for (const { words, times } of programs) {
      const before = await timeOfEndedChildren();
      for (let run = 0; run < runs; run += 1)
        await promisify(execFile)(process.execPath, words, { env: cleanEnvironment });
      times.push((await timeOfEndedChildren()) - before);
    }
  }
  for (const { name, times } of programs) print(`${name}: ${(median(times) / runs).toFixed(1)} ms`);
  const [bare = 0, version = 0, healthcheck = 0] = programs.map(({ times }) => median(times));
  const comparedWith = 'bare Node';
  return {
    results: [
      { measure: 'Processor time of --version', comparedWith, value: version / bare, atMost: 1.5 },
      { measure: 'Processor time of healthcheck', comparedWith, value: healthcheck / bare, atMost: 2 },
    ],
  };
};
