import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunAs } from '../../storage/postgres/_embedded.js';
import type { Life } from './_life.js';
import { pause } from './_run.js';

/** A server that runs in a process of its own. */
export type ServerProcess = Readonly<{
  url: string;
  port: number;
  /** The process that was started; with `under`, that of the other program. */
  pid: number;
  child: ChildProcess;
  hasEnded: () => boolean;
  /** Resolves to how it has ended. */
  ended: Promise<string>;
  /** Everything that it has written. */
  log: () => Promise<string>;
  kill: (signal: NodeJS.Signals) => Promise<void>;
}>;

type Options = Readonly<{
  /** Another program, with its options, that starts Node. */
  under?: readonly string[];
  runAs?: RunAs;
  /** The port; a free one by default. */
  port?: number;
  /** Options of Node. */
  node?: readonly string[];
}>;

const program = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));

/** The environment without the variables that would change a server's settings. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL.*|TRIAGE_.*|PG.*|NODE_.*)$/.test(name),
  ),
);

/** A directory that is removed at the end, and that everyone may enter. */
export const temporaryDirectory = async (life: Life): Promise<string> => {
  const directory = await mkdtemp(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'triage-api-soak-'));
  await chmod(directory, 0o755);
  life.teardown(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/**
 * Starts `triage-api serve` and waits until it listens. What it writes goes to files: a pipe that is read too
 * late would hold it up. It is killed at the end if it still runs.
 */
export const startServerProcess = async (
  life: Life,
  words: readonly string[],
  { under = [], runAs = {}, port = 0, node = [] }: Options = {},
): Promise<ServerProcess> => {
  const directory = await temporaryDirectory(life);
  const files = ['out', 'err'].map((name) => join(directory, name));
  const outputs = files.map((file) => openSync(file, 'a'));
  const serve = [process.execPath, ...node, program, 'serve', '--port', String(port), ...words];
  const [command = '', ...rest] = [...under, ...serve];
  const child = spawn(command, rest, { env: environment, stdio: ['ignore', ...outputs], ...runAs });
  for (const output of outputs) closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasEnded()) child.kill(signal);
    await ended;
  };
  life.teardown(() => kill('SIGKILL'));
  const log = async (): Promise<string> =>
    (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  for (;;) {
    const url = /listening on (http:\/\/[^\s"\\]+)/.exec(await log())?.[1];
    if (url !== undefined) {
      const { port: found } = new URL(url);
      return { url, port: Number(found), pid: child.pid ?? 0, child, hasEnded, ended, log, kill };
    }
    if (child.pid === undefined || hasEnded()) {
      throw new Error(`the server ended before it listened (${await ended}):\n${await log()}`);
    }
    await pause(20);
  }
};

const signs = {
  /** The process did not expect this. */
  crash: /unhandled|uncaught|FATAL ERROR|^\(node:\d+\)|^ {4}at /i,
  /** The process says that something failed. */
  error: /unhandled|uncaught|FATAL ERROR|^\(node:\d+\)|^ {4}at |"level":"(?:error|fatal)"/i,
};

/** The lines of a log that tell of a fault, or of any error. */
export const linesWith = (sign: keyof typeof signs, log: string): readonly string[] =>
  log.split('\n').filter((line) => signs[sign].test(line));

let options: Promise<string> | undefined;

/** Those of some options of `serve` that this version has. */
export const supported = async (...words: readonly (readonly string[])[]): Promise<readonly string[]> => {
  options ??= promisify(execFile)(process.execPath, [program, 'serve', '--help']).then(
    ({ stdout }) => stdout,
  );
  const help = await options;
  return words.filter(([name = '']) => help.includes(name)).flat();
};

/** Runs another command of the program to its end; rejects if it fails. */
export const runProgram = async (...words: readonly string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, [program, ...words], { env: environment });
};
