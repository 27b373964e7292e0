import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { median } from './median.js';
import { timeOfProcess } from './processor-time.js';
import { serverFile } from './requests/own-servers.js';
import { atMost, reportOf, type SectionContext, type SectionReport } from './section.js';
import { cleanEnvironment, stopper, triageApi } from './server-process.js';

/** What one start of a server took; null where it cannot be known. */
type Start = Readonly<{
  /** From the start of the process to the end of the first answer, in milliseconds. */
  toFirstAnswer: number;
  /** The processor time until then, in milliseconds. */
  processorTime: number | null;
  /** The resident memory after some requests and a time without any, in megabytes. */
  memory: number | null;
}>;

/** How many requests a server answers before its memory is read. */
const requests = 20;

/** How long a server is left alone before its memory is read, in milliseconds. */
const idle = 1000;

/** How long to wait before a port is tried again, in milliseconds. */
const retryInterval = 1;

/** The status of a request for findings; null while nothing listens. */
const statusOf = (port: number): Promise<number | null> =>
  new Promise((resolve) => {
    const headers = { cookie: 'session=acme-session' };
    get({ port, host: '127.0.0.1', path: '/api/v1/findings', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? null));
    }).on('error', () => resolve(null));
  });

/** The resident memory of a process in megabytes, as Linux tells it. */
const residentMemory = async (pid: number): Promise<number | null> => {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(text) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
};

/** Starts a program, which gets a port as its last argument, and measures until it has answered once. */
const measure = async (words: readonly string[]): Promise<Start> => {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...words, String(port)], {
    env: cleanEnvironment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = stopper(child);
  try {
    const processorTime = timeOfProcess(child.pid ?? 0);
    for (let status = await statusOf(port); status !== 200; status = await statusOf(port)) {
      if (status !== null) throw new Error(`${words.join(' ')} answered ${status}`);
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended before it answered`);
      await setTimeout(retryInterval);
    }
    const toFirstAnswer = performance.now() - started;
    const used = await processorTime();
    for (let i = 0; i < requests; i += 1) await statusOf(port);
    await setTimeout(idle);
    return { toFirstAnswer, processorTime: used, memory: await residentMemory(child.pid ?? 0) };
  } finally {
    await stop();
  }
};

const medianOf = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : median(values.filter((value) => value !== null));

const ratio = (ours: number | null, theirs: number | null): number | null =>
  ours === null || theirs === null ? null : ours / theirs;

const format = (value: number | null, unit: string): string =>
  value === null ? 'unknown' : `${value.toFixed(unit === '×' ? 2 : 0)} ${unit}`;

/**
 * Starts `triage-api serve` with the shipped fixtures and a bare Koa server in turns: how long each takes to
 * answer for the first time, and how much memory each holds when it is left alone. Medians of all rounds.
 */
export const benchStart = async ({ print, rounds }: SectionContext): Promise<SectionReport> => {
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measure([triageApi, 'serve', '-q', '--log-level', 'warn', '--port']));
    theirs.push(await measure([serverFile('bare-koa-start')]));
  }
  const multiple = (name: string, unit: string, read: (start: Start) => number | null): number | null => {
    const [own, bare] = [medianOf(ours.map(read)), medianOf(theirs.map(read))];
    const result = ratio(own, bare);
    print(`${name}: ${format(own, unit)}, bare Koa ${format(bare, unit)}: ${format(result, '×')}`);
    return result;
  };
  const time = multiple('start to first answer', 'ms', ({ toFirstAnswer }) => toFirstAnswer);
  const processor = multiple('processor time until then', 'ms', ({ processorTime }) => processorTime);
  const memory = multiple('memory at rest', 'MB', (start) => start.memory);
  const comparedWith = 'bare Koa';
  return reportOf(
    atMost(2, {
      measure: 'Start to first answer, shipped fixtures',
      comparedWith,
      value: time ?? Number.NaN,
      byProcessorTime: processor,
    }),
    ...(memory === null
      ? []
      : [atMost(1.5, { measure: 'Memory at rest, shipped fixtures', comparedWith, value: memory })]),
  );
};
