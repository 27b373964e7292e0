import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

type Options = Readonly<{
  /** Names the temporary file, so that no two writers share one: letters, digits, `-` and `_`. */
  writer: string;
  /** Runs once the new content is on the disk. If it rejects, the file is not replaced. */
  beforeRename?: () => Promise<void>;
}>;

/** How a file is replaced. Tests use another one to let it fail. */
export type ReplaceFile = (file: string, text: string, options: Options) => Promise<void>;

/**
 * Replaces a whole file or nothing, also if the machine loses power meanwhile: when it resolves, the new
 * content is on the disk; when it rejects, the old content is intact, unless only its last step failed. Only
 * the user of this process may read the file.
 */
export const replaceFile: ReplaceFile = async (file, text, { writer, beforeRename = async () => {} }) => {
  const temporary = temporaryFile(file, writer);
  try {
    await rm(temporary, { force: true });
    await writeToDisk(temporary, text);
    await beforeRename();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  // Without this, a power failure could bring the old file back.
  await syncDirectory(dirname(file));
};

/** Where a writer prepares the new content of a file: beside it, so that it can be renamed. */
export const temporaryFile = (file: string, writer: string): string =>
  join(dirname(file), `.${basename(file)}.${writer}.tmp`);

/** Removes the temporary files of writers that were killed. No other writer of the file may be running. */
export const removeTemporaryFiles = async (file: string): Promise<void> => {
  const prefix = `.${basename(file)}.`;
  for (const name of await readdir(dirname(file))) {
    const isTemporary = name.startsWith(prefix) && /^[\w-]+\.tmp$/.test(name.slice(prefix.length));
    if (isTemporary) await rm(join(dirname(file), name), { force: true });
  }
};

const writeToDisk = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
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
