import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestFn } from 'ava';
import * as program from '../../src/cli/program.js';
import { openBrowser } from '../../src/cli/terminal/open-browser.js';
import type { Terminal } from '../../src/cli/terminal/terminal.js';

type Environment = Readonly<Record<string, string>>;

/** Whatever has an end at which servers are stopped: a test. */
type TestLife = Readonly<{ teardown: (stop: () => Promise<void>) => unknown }>;

export type Finished = Readonly<{ code: number | null; out: string; err: string }>;

/** A server that was started by `serve`. */
export type Running = Readonly<{
  url: string;
  /** What it has written so far. */
  out: () => string;
  err: () => string;
  /** What it has written to standard error since it says that it listens. */
  diagnostics: () => string;
  /** Resolves once this text is in what it has written. */
  shows: (text: string) => Promise<void>;
  /** Resolves once the condition holds, which is checked again whenever something is written. */
  until: (condition: () => boolean | Promise<boolean>) => Promise<void>;
  finished: Promise<Finished>;
  /** Sends a signal and waits for the end. */
  end: (signal: NodeJS.Signals) => Promise<Finished>;
}>;

/** What a program has written, and a way to wait for more. */
const recordOutput = () => {
  const written = { out: '', err: '' };
  const waiting = new Set<() => void>();
  return {
    written,
    write: (stream: 'out' | 'err', text: string): void => {
      written[stream] += text;
      for (const check of waiting) check();
    },
    /** Rejects if the program ends before the condition holds. */
    until: async (condition: () => boolean | Promise<boolean>, end: Promise<unknown>): Promise<void> => {
      const holds = new Promise<void>((resolve, reject) => {
        const check = (): void => {
          Promise.resolve(condition()).then((isMet) => {
            if (!isMet) return;
            waiting.delete(check);
            resolve();
          }, reject);
        };
        waiting.add(check);
        check();
      });
      const ended = end.then(async () => {
        if (!(await condition())) throw new Error(`it ended:\n${written.out}${written.err}`);
      });
      await Promise.race([holds, ended]);
    },
  };
};

type Output = ReturnType<typeof recordOutput>;

const running = async (
  { written, until }: Output,
  finished: Promise<Finished>,
  signal: (name: NodeJS.Signals) => void,
  sign: string,
): Promise<Running> => {
  const untilWritten = (condition: () => boolean | Promise<boolean>) => until(condition, finished);
  const shows = (text: string) => untilWritten(() => `${written.out}${written.err}`.includes(text));
  await shows(sign);
  return {
    url: /listening on (\S+)/.exec(written.err)?.[1] ?? '',
    out: () => written.out,
    err: () => written.err,
    diagnostics: () => written.err.replace(/^[\s\S]*?^listening on .*\n/m, ''),
    shows,
    until: untilWritten,
    finished,
    end: (name) => {
      signal(name);
      return finished;
    },
  };
};

/** A busy machine may take long to answer. */
export const unhurried = {
  TRIAGE_TIMEOUT: '60000',
  TRIAGE_READY_TIMEOUT: '60000',
  TRIAGE_DATABASE_TIMEOUT: '60000',
};

const startInProcess = (words: readonly string[], environment: Environment) => {
  const output = recordOutput();
  let signal = (_name: string): void => {};
  const signalled = new Promise<string>((resolve) => {
    signal = resolve;
  });
  const terminal: Terminal = {
    out: (line) => output.write('out', `${line}\n`),
    text: (text) => output.write('out', `${text}\n`),
    err: (line) => output.write('err', `${line}\n`),
    progress: () => {},
    unwritten: () => 0,
    input: async function* () {},
    pid: process.pid,
    user: process.getuid?.() ?? null,
    outIsTerminal: false,
    errIsTerminal: false,
    onSignal: () => signalled,
    openBrowser: (url) => openBrowser(url, { platform: 'linux', environment }),
  };
  const finished = program
    .run(words, { ...unhurried, ...environment }, terminal, '0.0.0')
    .then((code): Finished => ({ code, ...output.written }));
  return { output, finished, signal };
};

/** Runs a command line to its end, in this process. */
export const run = (words: readonly string[], environment: Environment = {}): Promise<Finished> =>
  startInProcess(words, environment).finished;

/** Starts a command in this process. `end` sends a signal and waits for the end. */
export const start = (words: readonly string[], environment: Environment = {}) => {
  const { output, finished, signal } = startInProcess(words, environment);
  const { written, until } = output;
  return {
    finished,
    out: () => written.out,
    err: () => written.err,
    until: (condition: () => boolean) => until(condition, finished),
    end: () => {
      signal('SIGINT');
      return finished;
    },
  };
};

/**
 * Starts `serve`, or a command like it, in this process and waits until it has written `sign`. It stops at
 * the end of the test.
 */
export const listen = async (
  test: TestLife,
  words: readonly string[],
  environment: Environment = {},
  sign = 'listening on ',
  command = 'serve',
): Promise<Running> => {
  const { output, finished, signal } = startInProcess([command, '--port', '0', ...words], environment);
  test.teardown(async () => {
    signal('SIGTERM');
    await finished;
  });
  return running(output, finished, signal, sign);
};

/** A server in this process that all tests of a file share. It can be read once the tests run. */
export const sharedServer = (test: TestFn, words: readonly string[]): (() => Running) => {
  const stops: (() => Promise<void>)[] = [];
  let shared: Running | undefined;
  test.before(async () => {
    shared = await listen({ teardown: (stop) => stops.push(stop) }, words);
  });
  test.after.always(async () => {
    for (const stop of stops) await stop();
  });
  return () => {
    if (shared === undefined) throw new Error('the shared server has not been started yet');
    return shared;
  };
};

const binary = fileURLToPath(new URL('../../../bin/triage-api.js', import.meta.url));

/** The environment of the tests without the variables that would change settings. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL|TRIAGE_.*)$/.test(name),
  ),
);

/** How a program is started: this one, or another one that runs it. */
export type Program = Readonly<{
  file: string;
  words: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string | undefined;
}>;

const startProgram = ({ file, words, env, cwd }: Program) => {
  const output = recordOutput();
  const child = spawn(file, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.write('out', text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.write('err', text));
  const finished = new Promise<Finished>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output.written }));
  });
  return { child, output, finished };
};

/** Runs a program to its end. */
export const runProgram = (program: Program): Promise<Finished> => startProgram(program).finished;

const withBinary = (words: readonly string[], environment: Environment, cwd?: string): Program => ({
  file: process.execPath,
  words: [binary, ...words],
  env: { ...cleanEnvironment, ...unhurried, ...environment },
  cwd,
});

/** Runs the real program in a process of its own to its end. */
export const runProcess = (
  words: readonly string[],
  environment: Environment = {},
  cwd?: string,
): Promise<Finished> => runProgram(withBinary(words, environment, cwd));

/** Starts a program and waits until it says that it listens. It stops at the end of the test. */
export const listenProgram = async (
  test: TestLife,
  program: Program,
): Promise<Running & Readonly<{ child: ChildProcess }>> => {
  const { child, output, finished } = startProgram(program);
  // A process that is killed leaves no coverage behind, so it is asked to end first.
  test.teardown(async () => {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), 300_000);
    await finished;
    clearTimeout(killing);
  });
  return { ...(await running(output, finished, (name) => child.kill(name), 'listening on ')), child };
};

/** The same as `listen`, with the real program in a process of its own. */
export const listenProcess = (
  test: TestLife,
  words: readonly string[],
  environment: Environment = {},
): Promise<Running & Readonly<{ child: ChildProcess }>> =>
  listenProgram(test, withBinary(['serve', '--port', '0', ...words], environment));

/** Runs the requests that a server has printed in a shell, as they are pasted; resolves to their statuses. */
export const pasteRequests = async ({ err }: Pick<Running, 'err'>, cwd: string): Promise<string> => {
  const script = err()
    .match(/^ {2}curl .*$/gm)
    ?.map((line) => line.replace('curl', "curl -s -o /dev/null -w '%{http_code} '"));
  const { stdout } = await promisify(execFile)('sh', ['-c', script?.join('\n') ?? ''], { cwd });
  return stdout.trim();
};
