import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/** The processors that servers and load generators are bound to; null: the system chooses. */
export type Processors = Readonly<{ server: number; load: number }> | null;

/** The numbers in a list of processors as Linux writes it, such as `0-2,8`. */
export const processorNumbers = (list: string): readonly number[] =>
  list
    .trim()
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });

/**
 * One processor for the server and another for the load generator, so that neither takes time from the other.
 * Null if there are fewer than two, or no `taskset`.
 */
export const chooseProcessors = (): Processors => {
  if (platform() !== 'linux' || spawnSync('taskset', ['--version']).status !== 0) return null;
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, load] = processorNumbers(allowed);
  return server === undefined || load === undefined ? null : { server, load };
};

/** A command, bound to a processor. */
export const boundTo = (
  processor: number | undefined,
  command: readonly [string, ...string[]],
): readonly [string, ...string[]] =>
  processor === undefined ? command : ['taskset', '-c', `${processor}`, ...command];
