import { open, rm } from 'node:fs/promises';
import * as E from '#fp-ts/Either';
import { holderName, type LockRecord, type ProcessIdentity, readLock, type SeenLock } from './lock-record.js';
import { errorCode, replaceFile } from './replace-file.js';

/** What locking needs to know of processes and time. */
export type LockDependencies = Readonly<{
  self: ProcessIdentity;
  /** A new random id. */
  newId: () => string;
  /** A process of the same space: whether it runs, and when it started if that is known. */
  processState: (pid: number) => Readonly<{ isRunning: boolean; started: string | null }>;
  sleep: (milliseconds: number) => Promise<void>;
  /** Receives what is waited for. */
  onWait: (message: string) => void;
}>;

/** How often a holder refreshes its lock, and how long a newcomer watches for that, in milliseconds. */
export const refreshInterval = 2_000;
const watchInterval = 500;
const watches = 20;

/**
 * Creates a lock file. `right`: the record in it; `left`: who holds the lock. A lock whose process has ended
 * is taken over at once if that process ran in the same space. Of another container or machine nothing is
 * known but whether it still refreshes its lock, so a newcomer watches that for ten seconds.
 *
 * Of several newcomers one wins: they create a claim, a lock named after the id of the lock to be taken over.
 */
export const acquireLock = async (
  path: string,
  dependencies: LockDependencies,
): Promise<E.Either<string, LockRecord>> => {
  const { self, newId } = dependencies;
  const own: LockRecord = { id: newId(), ...self };
  for (;;) {
    if (await createLock(path, own)) return E.right(own);
    const seen = await readLock(path);
    if (seen === null) continue;
    const verdict = await judge(path, seen, dependencies);
    if (verdict === 'alive') return E.left(holderName(seen.record, self));
    if (verdict === 'changed') continue;
    const claim = `${path}.${seen.record?.id ?? 'unreadable'}`;
    const claimed = await acquireLock(claim, dependencies);
    if (E.isLeft(claimed)) return claimed;
    try {
      const now = await readLock(path);
      if (now?.text !== seen.text) continue;
      await replaceFile(path, JSON.stringify(own), { writer: own.id });
      return E.right(own);
    } finally {
      await releaseLock(claim, claimed.right);
    }
  }
};

/** Creates a lock file unless there is one; false if there is. */
export const createLock = async (path: string, own: LockRecord): Promise<boolean> => {
  try {
    const handle = await open(path, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(own));
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
};

/** Removes a lock file if it is still one's own. */
export const releaseLock = async (path: string, own: LockRecord): Promise<void> => {
  const seen = await readLock(path);
  if (seen?.record?.id === own.id) await rm(path, { force: true });
};

type Verdict = 'alive' | 'dead' | 'changed';

const judge = async (path: string, seen: SeenLock, dependencies: LockDependencies): Promise<Verdict> => {
  const { self, processState } = dependencies;
  if (seen.record?.space === self.space) {
    const { isRunning, started } = processState(seen.record.pid);
    if (!isRunning) return 'dead';
    if (started !== null && seen.record.started !== null)
      return started === seen.record.started ? 'alive' : 'dead';
  }
  return watch(path, seen, dependencies);
};

/** Compares the lock with itself, not with a clock: those of two machines may differ. */
const watch = async (
  path: string,
  seen: SeenLock,
  { self, sleep, onWait }: LockDependencies,
): Promise<Verdict> => {
  const seconds = (watches * watchInterval) / 1000;
  onWait(
    `${path} belongs to ${holderName(seen.record, self)}; watching for ${seconds} seconds whether that still runs`,
  );
  for (let i = 0; i < watches; i += 1) {
    await sleep(watchInterval);
    const now = await readLock(path);
    if (now?.text !== seen.text) return 'changed';
    if (now.version !== seen.version) return 'alive';
  }
  return 'dead';
};
