import { readFileSync, readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as E from '#fp-ts/Either';
import { type FolderLock, lockFolder, type ProcessIdentity } from '../../storage/memory/folder-lock.js';
import type { Terminal } from '../terminal/terminal.js';

/** The identity of this process. Every container has its own process 1, so the id alone says little. */
export const processIdentity = (pid: number): ProcessIdentity => {
  const host = hostname();
  const boot = readIfThere(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = readIfThere(() => readlinkSync('/proc/self/ns/pid'));
  return {
    pid,
    host,
    space: boot === null || namespace === null ? `host ${host}` : `boot ${boot}, ${namespace}`,
    started: isProcOf(pid) ? (readStat(pid)?.started ?? null) : null,
  };
};

/** Looks at other processes of the same space from the process with the id `self`. */
export const processStateFrom =
  (self: number, isRunning: Terminal['isRunning']) =>
  (pid: number): Readonly<{ isRunning: boolean; started: string | null }> => {
    if (!isRunning(pid)) return { isRunning: false, started: null };
    const stat = isProcOf(self) ? readStat(pid) : null;
    // A process that has been killed keeps its id until its parent collects it.
    const hasEnded = stat !== null && ['Z', 'X'].includes(stat.state);
    return { isRunning: !hasEnded, started: stat?.started ?? null };
  };

/** Whether /proc shows the ids of the namespace in which this process has this id. */
const isProcOf = (pid: number): boolean => readIfThere(() => readlinkSync('/proc/self')) === String(pid);

/** The state of a process, and its start in clock ticks since boot: fields 3 and 22 of proc_pid_stat(5). */
const readStat = (pid: number): Readonly<{ state: string; started: string }> | null => {
  const text = readIfThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field, the name of the program, may contain spaces and parentheses.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? null : { state, started };
};

const readIfThere = (read: () => string): string | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/**
 * Locks the folder of `--state` for this process, and makes it if there is none: two processes would
 * overwrite each other's changes. `left`: why it cannot be locked.
 */
export const lockState = async (
  folder: string,
  { pid, isRunning }: Pick<Terminal, 'pid' | 'isRunning'>,
): Promise<E.Either<string, Readonly<{ folder: string; lock: FolderLock }>>> => {
  const lock = await lockFolder(folder, processIdentity(pid), processStateFrom(pid, isRunning));
  return E.map((held: FolderLock) => ({ folder, lock: held }))(lock);
};

/** Why a path cannot be that of `--state`; null if it can. */
export const stateProblem = async (path: string): Promise<string | null> => {
  const found = await stat(path).catch(() => null);
  return found === null || found.isDirectory()
    ? null
    : `--state: ${path} is a file; name a folder, in which each account gets a file of its own`;
};
