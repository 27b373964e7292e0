import { stat } from 'node:fs/promises';
import * as E from '#fp-ts/Either';
import { newId } from '../../accounts/sessions-and-tokens.js';
import { type FolderLock, lockFolder } from '../../storage/memory/folder-lock.js';
import type { Terminal } from '../terminal/terminal.js';
import { processIdentity, processStateFrom } from './process-identity.js';

/** A folder of accounts that only this process writes. */
export type LockedState = Readonly<{ folder: string; lock: FolderLock }>;

/**
 * Locks the folder of `--state` for this process, and makes it if there is none: two processes would
 * overwrite each other's changes. `left`: why it cannot be locked.
 */
export const lockState = async (
  folder: string,
  { pid, isRunning }: Pick<Terminal, 'pid' | 'isRunning'>,
): Promise<E.Either<string, LockedState>> => {
  const lock = await lockFolder(folder, {
    self: processIdentity(pid),
    newId: () => newId('lock'),
    processState: processStateFrom(pid, isRunning),
  });
  return E.map((held: FolderLock) => ({ folder, lock: held }))(lock);
};

/** Why a path cannot be that of `--state`; null if it can. */
export const stateProblem = async (path: string): Promise<string | null> => {
  const found = await stat(path).catch(() => null);
  return found === null || found.isDirectory()
    ? null
    : `--state: ${path} is a file; name a folder, in which each account gets a file of its own`;
};
