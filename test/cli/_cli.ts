import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';

const binary = fileURLToPath(new URL('../../../bin/triage-api.js', import.meta.url));

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

/** Runs the real program to its end. */
export const run = (words: readonly string[], environment: Environment = {}): Promise<Finished> =>
  start(words, environment).finished;

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
    const patience = setTimeout(() => child.kill('SIGKILL'), 5000);
    await finished;
    clearTimeout(patience);
  });
  const shows = async (text: string): Promise<void> => {
    for (let i = 0; i < 3000; i += 1) {
      if (`${written.out}${written.err}`.includes(text)) return;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`"${text}" never showed in:\n${written.out}${written.err}`);
  };
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
