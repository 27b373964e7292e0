import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { inTurn } from '../common/in-turn.js';
import { fileVersion, versionOf } from './file-version.js';
import type { HeldLock } from './held-lock.js';
import { endOfSnapshot, journalLine } from './journal-line.js';
import { errorCode, syncDirectory, temporaryFile } from './replace-file.js';
import { writeFully, writeInPieces } from './write-in-pieces.js';

/** A file to which records are appended, as JSON texts, and which is replaced by a shorter one at times. */
export type JournalFile = Readonly<{
  /**
   * Appends a record. It is on the disk when this resolves with true. False, and nothing is written: the file
   * is gone, is another one by now, or cannot be relied on since a failure; it has to be rewritten first.
   * Rejects if the record could not be written; it does not count then.
   */
  append: (record: string) => Promise<boolean>;
  /**
   * Replaces the file by one with these records, and with those that are appended while this goes on. What
   * fails leaves the old file alone, unless only the last step failed. One call at a time.
   */
  rewrite: (records: Iterable<string>) => Promise<void>;
  /** The length of the file in bytes, and how much of that its last rewriting has written. */
  length: () => Readonly<{ snapshot: number; total: number }>;
}>;

/** What of a lock this needs, and how it opens files; tests use others to let them fail. */
export type JournalDependencies = Readonly<{
  lock: Pick<HeldLock, 'id' | 'assertHeld'>;
  openFile?: OpenFile | undefined;
}>;

export type OpenFile = (path: string, flags: string, mode?: number) => Promise<JournalHandle>;
export type JournalHandle = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'stat' | 'close'>;

/**
 * A journal at this path, as far as the lock allows. It has to be rewritten before anything can be appended:
 * that gives it a new file, so that a process which has lost the lock without knowing can only write to the
 * old one, which nobody reads any more.
 */
export const journalFile = async (
  file: string,
  { lock, openFile = open }: JournalDependencies,
): Promise<JournalFile> => {
  const turns = inTurn();
  /** The file as this process has left it. */
  let written = await fileVersion(file);
  let isReliable = false;
  let [snapshot, total] = [0, 0];
  /** What is appended while a rewriting goes on. */
  let meanwhile: string[] | null = null;

  const isUnchanged = async (): Promise<boolean> => {
    const version = await fileVersion(file);
    return version === null || version === written;
  };
  const openWritten = async (): Promise<JournalHandle | null> => {
    if (!isReliable) return null;
    try {
      const handle = await openFile(file, 'r+');
      if (versionOf(await handle.stat({ bigint: true })) === written) return handle;
      await handle.close();
      return null;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  };
  /** A record that does not count must not stay: the next one would be appended to it. */
  const cutOff = async (handle: JournalHandle): Promise<void> => {
    try {
      await handle.truncate(total);
      await handle.datasync();
      written = versionOf(await handle.stat({ bigint: true }));
    } catch {
      isReliable = false;
    }
  };
  const writeLine = async (handle: JournalHandle, line: Buffer): Promise<void> => {
    try {
      await writeFully(handle, line, total);
      // After a failed synchronization nobody knows what is on the disk; trying again would not tell.
      isReliable = false;
      await handle.datasync();
    } catch (error) {
      await cutOff(handle);
      throw error;
    }
    written = versionOf(await handle.stat({ bigint: true }));
    // A process that was suspended before it wrote must not acknowledge what the next holder cannot see.
    await lock.assertHeld(isUnchanged);
    if ((await fileVersion(file)) !== written) throw new Error('another file has taken its place');
    isReliable = true;
  };

  return {
    append: (record) =>
      turns(async () => {
        await lock.assertHeld(isUnchanged);
        const handle = await openWritten();
        if (handle === null) return false;
        const line = journalLine(record);
        try {
          const bytes = Buffer.from(line);
          await writeLine(handle, bytes);
          total += bytes.length;
        } finally {
          // What matters is on the disk already.
          await handle.close().catch(() => {});
        }
        meanwhile?.push(line);
        return true;
      }),
    rewrite: async (records) => {
      const temporary = temporaryFile(file, lock.id);
      const appended: string[] = [];
      meanwhile = appended;
      let handle: JournalHandle | null = null;
      try {
        await rm(temporary, { force: true });
        const opened = await openFile(temporary, 'wx', 0o600);
        handle = opened;
        const begun = await writeInPieces(opened, snapshotLines(records), 0);
        await turns(async () => {
          meanwhile = null;
          const length = await writeInPieces(opened, appended, begun);
          await lock.assertHeld(isUnchanged);
          await rename(temporary, file);
          // Until the directory is on the disk, a power failure could bring the old file back.
          isReliable = false;
          await syncDirectory(dirname(file));
          written = versionOf(await opened.stat({ bigint: true }));
          [snapshot, total, isReliable] = [begun, length, true];
        });
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      } finally {
        meanwhile = null;
        await handle?.close().catch(() => {});
      }
    },
    length: () => ({ snapshot, total }),
  };
};

const snapshotLines = function* (records: Iterable<string>): Generator<string> {
  for (const record of records) yield journalLine(record);
  yield journalLine(endOfSnapshot);
};
