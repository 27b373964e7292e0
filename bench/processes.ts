import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { freePort } from '../test/postgres/_embedded.js';

/** The top level of this package. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The command line of a checkout. */
export const triageApi = (checkout: string = root): string => join(checkout, 'bin/triage-api.js');

/** A compiled program of this folder. */
export const benchProgram = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url));

/** The environment without the variables that would change a server's settings, as in production. */
export const cleanEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL.*|TRIAGE_.*|PG.*)$/.test(name),
    ),
  ),
  NODE_ENV: 'production',
};

// Processors

/** The processors that servers and the load are bound to; null: the system chooses. */
export type Processors = Readonly<{ server: number; load: number }> | null;

/**
 * One processor for the server and another for the load, so that neither takes time from the other. Null if
 * there are fewer than two, or no `taskset`.
 */
export const chooseProcessors = (): Processors => {
  if (platform() !== 'linux' || spawnSync('taskset', ['--version']).status !== 0) return null;
  // A list such as `0-2,8`.
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load] = allowed.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
  return server === undefined || load === undefined ? null : { server, load };
};

/** Node's program and arguments, bound to a processor. */
const nodeOn = (processor: number | undefined, words: readonly string[]) =>
  processor === undefined
    ? ([process.execPath, words] as const)
    : (['taskset', ['-c', `${processor}`, process.execPath, ...words]] as const);

/** Starts a program with Node, with pipes for its input and output. */
export const spawnNode = (processor: number | undefined, words: readonly string[]) => {
  const [command, rest] = nodeOn(processor, words);
  return spawn(command, rest, { env: cleanEnvironment, stdio: ['pipe', 'pipe', 'inherit'] });
};

// Servers

/** A server that runs in a process of its own. */
export type ServerProcess = Readonly<{ url: string; pid: number; stop: () => Promise<void> }>;

export type Program = Readonly<{
  /** What Node runs, given a port that nothing listens on. */
  words: (port: string) => readonly string[];
  /** The request that must be answered with a 200 before the server counts as started. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** The file that everything is written to which the server prints. */
  log: string;
  processor?: number | undefined;
  cwd?: string;
}>;

const patience = 60_000;

/**
 * Starts a server, and waits for its first answer. Rejects, with what the server printed, if it ends before,
 * or does not answer within a minute.
 */
export const startServer = async (program: Program): Promise<ServerProcess> => {
  const { path, headers = {}, log, processor, cwd } = program;
  const port = await freePort();
  const file = await open(log, 'w');
  const [command, words] = nodeOn(processor, program.words(`${port}`));
  const child = spawn(command, words, { cwd, env: cleanEnvironment, stdio: ['ignore', file.fd, file.fd] });
  const stop = stopper(child);
  await file.close();
  const url = `http://127.0.0.1:${port}`;
  let status: number | null = null;
  for (const end = Date.now() + patience; Date.now() < end && child.exitCode === null; await sleep(1)) {
    status = await statusOf(`${url}${path}`, headers);
    if (status === 200) return { url, pid: child.pid ?? 0, stop };
  }
  await stop();
  const printed = (await readFile(log, 'utf8')).slice(0, 2000);
  throw new Error(`${program.words('PORT').join(' ')} did not start; its last status: ${status}\n${printed}`);
};

/** `triage-api serve`, without an access log unless the words say otherwise. */
export const serveWords =
  (words: readonly string[], checkout?: string) =>
  (port: string): readonly string[] => [
    triageApi(checkout),
    ...['serve', '-q', '--port', port, '--log-level', 'warn'],
    ...words,
  ];

/** Ends a process, at the latest with the benchmark: one that fails leaves no server behind. */
const stopper = (child: ChildProcess): (() => Promise<void>) => {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  const kill = (): unknown => child.kill();
  process.once('exit', kill);
  return async () => {
    kill();
    await ended;
    process.off('exit', kill);
  };
};

/** The status of a response over a connection of its own; null while nothing listens. */
export const statusOf = (url: string, headers: Readonly<Record<string, string>>): Promise<number | null> =>
  new Promise((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? null));
    }).on('error', () => resolve(null));
  });

// Processor time and memory, as Linux tells them. They are NaN elsewhere.

/** Reads how much processor time has been used so far, in milliseconds. */
export type ProcessorTime = () => Promise<number>;

const statOf = async (pid: number | string) => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  const fields = rest.split(' ').map(Number);
  // In hundredths of a second: of programs, and of the system on their behalf.
  const time = (first: number): number =>
    10 * ((fields[first] ?? Number.NaN) + (fields[first + 1] ?? Number.NaN));
  return { name, parent: fields[1] ?? 0, own: time(11), ofEndedChildren: time(13) };
};

/** The processor time of one process, with that of all its threads. */
export const timeOfProcess =
  (pid: number): ProcessorTime =>
  async () =>
    (await statOf(pid)).own;

/** The processor time of the processes that this one has started and that have ended. */
export const timeOfEndedChildren: ProcessorTime = async () => (await statOf('self')).ofEndedChildren;

/** The processor time of the PostgreSQL server that a client is connected to, with that of ended sessions. */
export const timeOfPostgres = async (client: pg.Client): Promise<ProcessorTime> => {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const { name, parent } = await statOf(rows[0]?.pid ?? 0);
  // The server runs on another machine.
  if (!name.startsWith('postgres')) return async () => Number.NaN;
  return async () => {
    const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
    const times = await Promise.all(
      pids.map(async (pid) => ((await statOf(pid)).parent === parent ? timeOfThread(pid) : 0)),
    );
    return times.reduce((sum, time) => sum + time, (await statOf(parent)).ofEndedChildren);
  };
};

/**
 * The processor time of a process with one thread, such as those of PostgreSQL: more exact than hundredths of
 * seconds.
 */
const timeOfThread = async (pid: string): Promise<number> => {
  const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
  return text === '' ? (await statOf(pid)).own : Number(text.split(' ')[0]) / 1e6;
};

/** The resident memory of a process in bytes: what it holds, or the most that it has held. */
export const memoryOf = async (pid: number | 'self', kind: 'now' | 'peak'): Promise<number> => {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const line = kind === 'now' ? /^VmRSS:\s+(\d+) kB$/m : /^VmHWM:\s+(\d+) kB$/m;
  return 1024 * Number(line.exec(text)?.[1] ?? Number.NaN);
};
