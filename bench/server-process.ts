import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { boundTo } from './processors.js';

/** A server that runs in a process of its own. */
export type ServerProcess = Readonly<{ url: string; pid: number; stop: () => Promise<void> }>;

export type ProcessOptions = Readonly<{
  /** The processor that it is bound to. */
  processor?: number | undefined;
  /** An open file for its standard output, which is read for the address otherwise. */
  stdout?: number;
  /** Whether to keep its standard error to oneself. */
  quiet?: boolean;
}>;

/** The environment without the variables that would change a server's settings, as in production. */
export const cleanEnvironment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL.*|TRIAGE_.*|PG.*)$/.test(name),
    ),
  ),
  NODE_ENV: 'production',
};

/** Ends a process, at the latest with the benchmark: one that fails leaves no server behind. */
export const stopper = (child: ChildProcess): (() => Promise<void>) => {
  const exited = once(child, 'exit');
  // Where nobody waits for it, a process that cannot be started has been reported already.
  exited.catch(() => {});
  const kill = (): unknown => child.kill();
  process.once('exit', kill);
  return async () => {
    child.kill('SIGTERM');
    await exited;
    process.off('exit', kill);
  };
};

/** Starts a program with Node, and waits until it prints the address that it listens on. */
export const startServerProcess = async (
  program: string,
  words: readonly string[],
  { processor, stdout, quiet = false }: ProcessOptions = {},
): Promise<ServerProcess> => {
  const [command, ...rest] = boundTo(processor, [process.execPath, program, ...words]);
  const child = spawn(command, rest, { env: cleanEnvironment, stdio: ['ignore', stdout ?? 'pipe', 'pipe'] });
  const stop = stopper(child);
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    const read = (text: string): void => {
      if (out.length > 10_000) return;
      out += text;
      const address = /listening on (\S+)\n/.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    if (!quiet) child.stderr?.pipe(process.stderr, { end: false });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} ended before it was listening:\n${out}`)));
  });
  return { url, pid: child.pid ?? 0, stop };
};

/** The command line of this package. */
export const triageApi = fileURLToPath(new URL('../../bin/triage-api.js', import.meta.url));

/** Starts `triage-api serve` on a free port, without an access log unless the words say otherwise. */
export const startTriageApi = (
  words: readonly string[],
  options: ProcessOptions = {},
): Promise<ServerProcess> =>
  startServerProcess(triageApi, ['serve', '--port', '0', '--log-level', 'warn', ...words], options);
