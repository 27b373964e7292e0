import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './median.js';
import { timeOfProcess } from './processor-time.js';

/** What one start of a server took. Memory is that of the whole process; null where it cannot be known. */
type Start = Readonly<{
  /** From the start of the process to the end of the first answer, in milliseconds. */
  toFirstAnswer: number;
  /** The processor time until then, in milliseconds. */
  processorTime: number | null;
  /** The resident memory after some requests and a time without any, in megabytes. */
  memory: number | null;
}>;

/** What the comparison of the two servers found: ours as a multiple of bare Koa, medians of all rounds. */
export type StartComparison = Readonly<{
  startRatio: number;
  processorRatio: number | null;
  memoryRatio: number | null;
}>;

type Options = Readonly<{
  rounds: number;
  /** How long a server is left alone before its memory is read, in milliseconds. */
  idle?: number;
}>;

const bin = fileURLToPath(new URL('../../bin/triage-api.js', import.meta.url));
const bareKoa = fileURLToPath(new URL('./bare-koa-start.js', import.meta.url));

/** How many requests a server answers before its memory is read. */
const requests = 20;

/** How long to wait before a port is tried again, in milliseconds. */
const retryInterval = 1;

/** A port that nothing listens on. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

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
const measure = async (words: readonly string[], idle: number): Promise<Start> => {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...words, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const processorTime = timeOfProcess(child.pid ?? 0);
    while ((await statusOf(port)) !== 200) {
      if (child.exitCode !== null) throw new Error(`${words.join(' ')} ended before it answered`);
      await setTimeout(retryInterval);
    }
    const toFirstAnswer = performance.now() - started;
    const used = await processorTime();
    for (let i = 0; i < requests; i += 1) await statusOf(port);
    await setTimeout(idle);
    return { toFirstAnswer, processorTime: used, memory: await residentMemory(child.pid ?? 0) };
  } finally {
    child.kill();
    await exited;
  }
};

const medianOf = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : median(values.filter((value) => value !== null));

const ratio = (ours: number | null, theirs: number | null): number | null =>
  ours === null || theirs === null ? null : ours / theirs;

const format = (value: number | null, unit: string): string =>
  value === null ? 'unknown' : `${value.toFixed(unit === '×' ? 2 : 0)} ${unit}`;

/**
 * Starts `triage-api serve` with the shipped fixtures and a bare Koa server in turns. Prints how long each
 * takes to answer for the first time, and how much memory each holds when it is left alone.
 */
export const benchStart = async (
  print: (line: string) => void,
  { rounds, idle = 1000 }: Options,
): Promise<StartComparison> => {
  const ours: Start[] = [];
  const theirs: Start[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await measure([bin, 'serve', '-q', '--log-level', 'warn', '--port'], idle));
    theirs.push(await measure([bareKoa], idle));
  }
  const rows = [
    ['start to first answer', 'ms', (start: Start) => start.toFirstAnswer],
    ['processor time until then', 'ms', (start: Start) => start.processorTime],
    ['memory at rest', 'MB', (start: Start) => start.memory],
  ] as const;
  const [start, processor, memory] = rows.map(([name, unit, read]) => {
    const [own, bare] = [medianOf(ours.map(read)), medianOf(theirs.map(read))];
    const multiple = ratio(own, bare);
    print(`${name}: ${format(own, unit)}, bare Koa ${format(bare, unit)}: ${format(multiple, '×')}`);
    return multiple;
  });
  return {
    startRatio: start ?? Number.NaN,
    processorRatio: processor ?? null,
    memoryRatio: memory ?? null,
  };
};
