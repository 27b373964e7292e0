import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errorCode } from './replace-file.js';

/** Differs for every file that has ever been at a path, and for every content of it. */
export const versionOf = ({ ino, size, mtimeNs }: BigIntStats): string => [ino, size, mtimeNs].join(' ');

/** The version of the file at a path; null if there is none. */
export const fileVersion = async (file: string): Promise<string | null> => {
  try {
    return versionOf(await stat(file, { bigint: true }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
};
