import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server that runs in a process of its own. */
export type ServerProcess = Readonly<{ url: string; pid: number; stop: () => Promise<void> }>;

/** The environment without the variables that would change a server's settings. */
const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:PORT|HOST|LOG_LEVEL|DATABASE_URL.*|TRIAGE_.*|PG.*)$/.test(name),
  ),
);

/** Starts a program with Node, and waits until it prints the address that it listens on. */
export const startServerProcess = async (
  program: string,
  words: readonly string[],
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [program, ...words], {
    env: cleanEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  // A benchmark that fails leaves no server behind.
  process.once('exit', () => child.kill());
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    const read = (text: string): void => {
      out += text;
      const address = /listening on (\S+)\n/.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read).pipe(process.stderr, { end: false });
    exited.then(() => reject(new Error(`${program} ended before it was listening`)), reject);
  });
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
};

/** The command line of this package. */
export const triageApi = fileURLToPath(new URL('../../bin/triage-api.js', import.meta.url));

/** Starts `triage-api serve` on a free port, without an access log. */
export const startTriageApi = (words: readonly string[]): Promise<ServerProcess> =>
  startServerProcess(triageApi, ['serve', '--port', '0', '--log-level', 'warn', ...words]);
