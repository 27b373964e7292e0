import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, stopper } from './server-process.js';

const reporter = fileURLToPath(new URL('./report-peak-memory.js', import.meta.url));

/**
 * Runs a program with Node until it ends, and resolves to the peak of its resident memory in bytes. Rejects
 * if it fails, with what it wrote to standard error.
 */
export const peakMemoryOf = async (program: string, words: readonly string[]): Promise<number> => {
  const child = spawn(process.execPath, ['--import', reporter, program, ...words], {
    env: cleanEnvironment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const stop = stopper(child);
  const [, , , report] = child.stdio;
  try {
    const closed = once(child, 'close');
    const [failure, peak] = await Promise.all([textOf(child.stderr), textOf(report), closed]);
    if (child.exitCode !== 0 || !(Number(peak) > 0)) throw new Error(`${words[0]} failed:\n${failure}`);
    return Number(peak);
  } finally {
    await stop();
  }
};

/** Everything that a child writes to a pipe. */
const textOf = async (pipe: unknown): Promise<string> => (pipe instanceof Readable ? text(pipe) : '');
