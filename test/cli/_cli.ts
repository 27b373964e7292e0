import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import * as t from 'io-ts';
import { run as runProgram } from '../../src/cli/program.js';

const binary = fileURLToPath(new URL('../../../bin/triage-api.js', import.meta.url));

const manifest: unknown = createRequire(import.meta.url)('../../../package.json');
const version = t.type({ version: t.string }).is(manifest) ? manifest.version : '';

/** Variables of the surroundings that would change settings, taken out. */
const surroundings = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL|TRIAGE_.*)$/.test(name),
  ),
);

type Environment = Readonly<Record<string, string>>;

export type Finished = Readonly<{ code: number | null; out: string; err: string }>;

export type Running = Readonly<{
  url: string;
  /** What it has written so far. */
  out: () => string;
  err: () => string;
  /** Resolves once this shows in what it writes. */
  shows: (text: string) => Promise<void>;
  child: ChildProcess;
  /** Sends a signal and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<Finished>;
}>;

const start = (words: readonly string[], environment: Environment) => {
  const child = spawn(process.execPath, [binary, ...words], {
    env: { ...surroundings, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code) => resolve({ code, ...written }));
  });
  return { child, written, finished };
};

/** Runs a command line in a process of its own, as a user does. */
export const runProcess = (words: readonly string[], environment: Environment = {}): Promise<Finished> =>
  start(words, environment).finished;

/** Runs a command line in this process: all of the program but its start, which takes most of the time of a short command. */
export const run = async (words: readonly string[], environment: Environment = {}): Promise<Finished> => {
  const written = { out: '', err: '' };
  const code = await runProgram(
    words,
    environment,
    {
      out: (line) => {
        written.out += `${line}\n`;
      },
      err: (line) => {
        written.err += `${line}\n`;
      },
      progress: () => {},
      pid: process.pid,
      isRunning: () => true,
      outIsTerminal: false,
      errIsTerminal: false,
      signalled: () => new Promise(() => {}),
    },
    version,
  );
  return { code, ...written };
};

/** Starts the real program and waits for a sign that it listens; the test's end is its end. */
export const listen = async (
  test: ExecutionContext,
  words: readonly string[],
  environment: Environment = {},
  sign = 'listening on ',
): Promise<Running> => {
  const { child, written, finished } = start(['serve', '--port', '0', ...words], environment);
  // Asked, not killed: a process that is killed leaves no coverage behind.
  test.teardown(async () => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 60_000);
    await finished;
    clearTimeout(patience);
  });
  const shows = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (`${written.out}${written.err}`.includes(text)) resolve();
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
      void finished.then(() => reject(new Error(`"${text}" is not in:\n${written.out}${written.err}`)));
    });
  await shows(sign);
  return {
    url: /listening on (\S+)/.exec(written.out)?.[1] ?? '',
    out: () => written.out,
    err: () => written.err,
    shows,
    child,
    end: (signal) => {
      child.kill(signal);
      return finished;
    },
  };
};
