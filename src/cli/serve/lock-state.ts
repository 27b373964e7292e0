import { setTimeout } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import { newId } from '../../accounts/secrets.js';
import type { Log } from '../../common/log.js';
import { type HeldLock, lockFile } from '../../files/held-lock.js';
import { realFile } from '../../files/real-file.js';
import type { Terminal } from '../terminal/terminal.js';
import { processIdentity, processStateFrom } from './process-identity.js';

/** A state file that only this process writes, by its real name. */
export type LockedState = Readonly<{ file: string; lock: HeldLock }>;

/**
 * Locks a state file for this process: two processes would overwrite each other's changes. `left`: why it
 * cannot be locked.
 */
export const lockState = async (
  path: string,
  { pid, isRunning, err }: Pick<Terminal, 'pid' | 'isRunning' | 'err'>,
  log: Log,
): Promise<E.Either<string, LockedState>> => {
  const file = realFile(path);
  const lock = await lockFile(file, {
    self: processIdentity(pid),
    newId: () => newId('lock'),
    processState: processStateFrom(pid, isRunning),
    sleep: (milliseconds) => setTimeout(milliseconds),
    onWait: err,
    clock: () => Date.now(),
    every: (milliseconds, task) => {
      const timer = setInterval(task, milliseconds);
      return () => clearInterval(timer);
    },
    onLost: (holder) =>
      log('error', 'another process has taken the state file over; no change can be saved any more', {
        file,
        holder,
      }),
  });
  return E.map((held: HeldLock) => ({ file, lock: held }))(lock);
};
