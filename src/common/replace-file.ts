import { chmod, mkdir, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBase64url } from '#platform';
import { pause } from './timers.js';

/**
 * Replaces a whole file or nothing, also if the machine loses power meanwhile: when it resolves, the new
 * content is on the disk; when it rejects, the old content is intact, unless only its last step failed. Only
 * the user of this process may read the file. `write` is another way to do so, for tests.
 */
export const replaceFile = async (file: string, text: string, write = writeBeside): Promise<void> => {
  await whileBusy(() => write(file, text));
  // Without this, a power failure could bring the old file back.
  await syncDirectory(dirname(file));
};

/** Writes a file beside the one that it replaces, or beside what a link leads to, and renames it. */
const writeBeside = async (file: string, text: string): Promise<void> => {
  const place = await realpath(file).catch(() => file);
  const temporary = `${place}.${randomBase64url(6)}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
};

/** Removes a file, if there is one, so that a power failure does not bring it back. */
export const removeFile = async (file: string): Promise<void> => {
  await whileBusy(() => rm(file, { force: true }));
  await syncDirectory(dirname(file));
};

/** The waits between attempts, in milliseconds: about two seconds together. */
const waits = [10, 20, 40, 80, 160, 320, 640, 640];

/** On Windows, a file that another program has open, such as a virus scanner, is busy for a moment. */
export const whileBusy = async <A>(task: () => Promise<A>): Promise<A> => {
  for (const wait of waits) {
    try {
      return await task();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await pause(wait);
    }
  }
  return task();
};

const isBusy = (error: unknown): boolean => {
  const isRename = error instanceof Error && 'syscall' in error && error.syscall === 'rename';
  return errorCode(error) === 'EBUSY' || (isRename && ['EACCES', 'EPERM'].includes(errorCode(error)));
};

/** Makes a folder for the user of this process alone, and those above it. One with files is left as it is. */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 });
    await syncDirectory(dirname(folder));
  } catch (error) {
    // The option `recursive` does not end where a directory refuses new ones with ENOENT, as `/proc` does.
    if (errorCode(error) === 'ENOENT' && dirname(folder) !== folder) {
      await makePrivateFolder(dirname(folder));
      await mkdir(folder, { mode: 0o700 });
    } else if (errorCode(error) !== 'EEXIST') throw error;
    // It may belong to somebody else, as the root of a volume does.
    else if ((await readdir(folder)).length === 0) await chmod(folder, 0o700).catch(() => {});
  }
};

/** Errors of platforms and directories that cannot be opened or synchronized; all others are real. */
const unsupported = ['EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'];

/** Makes the names in a directory survive a power failure, where the platform can. */
export const syncDirectory = async (directory: string): Promise<void> => {
  try {
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!unsupported.includes(errorCode(error))) throw error;
  }
};

/** The code of an error of the system, such as `ENOENT`; empty if it has none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
