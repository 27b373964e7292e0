import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The file that a path stands for, without symbolic links, whether or not it exists. Replacing it keeps the
 * links to it, and all its names lead to the same lock.
 */
export const realFile = (path: string): string => {
  const existing = orNull(() => realpathSync(path));
  if (existing !== null) return existing;
  const target = orNull(() => readlinkSync(path));
  if (target !== null) return realFile(resolve(dirname(path), target));
  const directory = orNull(() => realpathSync(dirname(path)));
  return directory === null ? path : join(directory, basename(path));
};

const orNull = (read: () => string): string | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
