import { utimes } from 'node:fs/promises';
import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import {
  acquireLock,
  createLock,
  type LockDependencies,
  refreshInterval,
  releaseLock,
} from './acquire-lock.js';
import { holderName, readLock } from './lock-record.js';

/** A lock that this process has acquired. */
export type HeldLock = Readonly<{
  /** The random id of this locking. */
  id: string;
  /**
   * Rejects if the lock is another's by now, as after this process was suspended for long. A lock file that
   * is gone is created again if `isUnchanged` says that nobody has used the locked file meanwhile.
   */
  assertHeld: (isUnchanged: () => Promise<boolean>) => Promise<void>;
  /** Stops refreshing, and removes the lock file if it is still this process's. */
  release: () => Promise<void>;
}>;

type Dependencies = LockDependencies &
  Readonly<{
    clock: Clock;
    /** Repeats a task until the returned function is called. */
    every: (milliseconds: number, task: () => void) => () => void;
    /** Told once, with the name of the new holder, if another process takes the lock over. */
    onLost: (holder: string) => void;
  }>;

/**
 * Locks a file by a lock file beside it, `FILE.lock`, and keeps refreshing that. `left`: why it cannot be
 * locked.
 */
export const lockFile = async (
  file: string,
  dependencies: Dependencies,
): Promise<E.Either<string, HeldLock>> => {
  const { self, clock, every, onLost } = dependencies;
  const path = `${file}.lock`;
  try {
    const acquired = await acquireLock(path, dependencies);
    if (E.isLeft(acquired)) return E.left(`${file} is in use by ${acquired.left}`);
    const own = acquired.right;

    const refresh = async (): Promise<void> => {
      const seen = await readLock(path);
      if (seen === null) return;
      if (seen.record?.id === own.id) return utimes(path, clock() / 1000, clock() / 1000);
      stop();
      onLost(holderName(seen.record, self));
    };
    // A refresh that fails is repeated; whether the lock was lost is decided before each write.
    const stop = every(refreshInterval, () => void refresh().catch(() => {}));
    return E.right({
      id: own.id,
      assertHeld: async (isUnchanged) => {
        const seen = await readLock(path);
        if (seen?.record?.id === own.id) return;
        if (seen !== null) throw new Error(`it is in use by ${holderName(seen.record, self)}`);
        if (!(await isUnchanged())) throw new Error('it has changed since its lock file was removed');
        if (!(await createLock(path, own))) throw new Error('another process has just locked it');
      },
      release: async () => {
        stop();
        await releaseLock(path, own).catch(() => {});
      },
    });
  } catch (error) {
    return E.left(`${file}: cannot write the lock file ${path}: ${String(error)}`);
  }
};
