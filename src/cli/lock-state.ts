import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';

/** Asks whether a process runs; it may be somebody else's. */
export type IsRunning = (pid: number) => boolean;

/**
 * Claims a state file for this process, by a file beside it that holds its number: two processes would undo each other's
 * writes. A claim whose process is gone is taken over. `left`: who has it; `right`: how to let it go.
 */
export const lockState = (file: string, pid: number, isRunning: IsRunning): E.Either<string, () => void> => {
  const lock = `${file}.lock`;
  const claim = (): boolean => {
    try {
      writeFileSync(lock, String(pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      throw error;
    }
  };
  try {
    if (!claim()) {
      const holder = Number(readFileSync(lock, 'utf8'));
      if (holder !== pid && Number.isInteger(holder) && holder > 0 && isRunning(holder)) {
        return E.left(
          `${file}: expected a state file for this process alone, got one that process ${holder} uses`,
        );
      }
      writeFileSync(lock, String(pid));
    }
    return E.right(() => rmSync(lock, { force: true }));
  } catch (error) {
    return E.left(`${file}: expected a place for ${lock} to be written, got ${String(error)}`);
  }
};
