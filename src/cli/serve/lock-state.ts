import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';

/** Whether a process with this id is running, no matter whose it is. */
export type IsRunning = (pid: number) => boolean;

/**
 * Locks a state file for this process with a lock file that contains the id of the process: two processes
 * would overwrite each other's changes. The lock of a process that has ended is taken over. `right`: releases
 * the lock; `left`: who holds it.
 */
export const lockState = (file: string, pid: number, isRunning: IsRunning): E.Either<string, () => void> => {
  const lock = `${file}.lock`;
  const create = (): boolean => {
    try {
      writeFileSync(lock, String(pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  };
  try {
    if (!create()) {
      const holder = Number(readFileSync(lock, 'utf8'));
      if (holder !== pid && Number.isInteger(holder) && holder > 0 && isRunning(holder)) {
        return E.left(`${file} is in use by process ${holder}`);
      }
      writeFileSync(lock, String(pid));
    }
    return E.right(() => rmSync(lock, { force: true }));
  } catch (error) {
    return E.left(`${file}: cannot write the lock file ${lock}: ${String(error)}`);
  }
};
