import { type ChildProcess, spawn } from 'node:child_process';
import { runAfter } from '../../common/timers.js';

/** How a program has ended. `tail`: the end of what it has written. */
export type Run = Readonly<{ isGreen: boolean; isLate: boolean; milliseconds: number; tail: string }>;

/** How much of what a program has written is kept, in characters. */
const maxTail = 4000;

/** How long a program that was asked to end may take, in milliseconds. */
const patience = 3000;

/** Signals a program and those that it has started; false: they have ended. */
const signal = ({ pid }: ChildProcess, name: NodeJS.Signals): boolean => {
  try {
    // Its group, which Windows does not have.
    return pid !== undefined && process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    return false;
  }
};

const end = (child: ChildProcess): void => {
  if (signal(child, 'SIGTERM')) runAfter(patience, () => signal(child, 'SIGKILL'));
};

/** Returns what runs a program with other variables, several times at once if need be, and ends all runs. */
export const programRunner = ([program = '', ...words]: readonly string[]) => {
  const running = new Set<ChildProcess>();
  const run = (variables: NodeJS.ProcessEnv, timeLimit = Number.POSITIVE_INFINITY): Promise<Run> =>
    new Promise((resolve) => {
      const started = performance.now();
      const isWindows = process.platform === 'win32';
      // A suite that the tests of another one start is no part of it.
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined, ...variables };
      const child = spawn(program, words, {
        env,
        shell: isWindows,
        detached: !isWindows,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      running.add(child);
      let [tail, isLate] = ['', false];
      const cancel = Number.isFinite(timeLimit)
        ? runAfter(timeLimit, () => {
            isLate = true;
            end(child);
          })
        : () => {};
      const settle = (isGreen: boolean, last = ''): void => {
        cancel();
        running.delete(child);
        // What it has left behind would be in the way of the next run.
        end(child);
        tail = `${tail}${last}`.slice(-maxTail);
        resolve({ isGreen: isGreen && !isLate, isLate, milliseconds: performance.now() - started, tail });
      };
      const keep = (chunk: Buffer): void => {
        tail = `${tail}${chunk.toString()}`.slice(-maxTail);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.once('error', ({ message }) => settle(false, message));
      child.once('exit', (code) => settle(code === 0));
    });
  return { run, endAll: () => running.forEach(end) };
};
