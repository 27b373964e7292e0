import { spawn } from 'node:child_process';
import type { TestLife } from './_server.js';

export type ShellCommand = Readonly<{
  /** Resolves with its exit code and all that it has printed once it has ended. */
  finished: Promise<Readonly<{ code: number | null; out: string }>>;
  /** Resolves with a match once what it has printed has one; rejects if it ends before. */
  shows: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Ends it and all that it has started, and waits for that. */
  stop: () => Promise<void>;
}>;

/** Starts a shell command in a folder. What it has started ends with the test. */
export const startShell = (
  life: TestLife,
  folder: string,
  command: string,
  env: NodeJS.ProcessEnv,
): ShellCommand => {
  const child = spawn('sh', ['-e', '-c', command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, because some programs start further ones, and do not end them.
    detached: true,
  });
  let out = '';
  let check = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      check();
    });
  const finished = new Promise<Readonly<{ code: number | null; out: string }>>((resolve, reject) => {
    child.once('error', reject);
    // Not `close`: a server that goes on in the background keeps the pipes open.
    child.once('exit', (code) => resolve({ code, out }));
  });
  const stop = async (): Promise<void> => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await finished.catch(() => {});
  };
  life.teardown(stop);
  const shows = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      check = () => {
        const match = pattern.exec(out);
        if (match !== null) resolve(match);
      };
      check();
      finished.then(() => reject(new Error(`it ended without ${pattern}:\n${out}`)), reject);
    });
  return { finished, shows, stop };
};
