import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { giveTo, nobody, type RunAs } from '../../storage/postgres/_embedded.js';
import type { Life } from '../core/_life.js';
import { temporaryDirectory } from '../core/_server-process.js';

/** A directory for a state file, and a fault of its disk that comes and goes. */
export type FaultyDirectory = Readonly<{
  directory: string;
  /** Whom the server has to run as for the fault to affect it. */
  runAs: RunAs;
  /** Whether writes fail only once there is more to write than there was. */
  fillsUp: boolean;
  begin: () => Promise<void>;
  end: () => Promise<void>;
}>;

/** Makes such a directory, or says what it takes. */
export type Fault = (life: Life) => Promise<FaultyDirectory | string>;

const isRoot = process.getuid?.() === 0;
const call = promisify(execFile);

/** A file system that is full after a few hundred kilobytes; in the end it gets more. */
export const diskFull: Fault = async (life) => {
  if (process.platform !== 'linux' || !isRoot) return 'needs Linux and root, to mount a small file system';
  const directory = join(await temporaryDirectory(life), 'small');
  await mkdir(directory);
  try {
    await call('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', directory]);
  } catch {
    return 'needs the right to mount a small file system';
  }
  life.teardown(async () => {
    await call('umount', ['-l', directory]);
  });
  const end = async (): Promise<void> => {
    await call('mount', ['-o', 'remount,size=16m', directory]);
  };
  return { directory, runAs: {}, fillsUp: true, begin: async () => {}, end };
};

/** A directory and files that cannot be written. Root can write them all the same, so `nobody` serves. */
export const readOnly: Fault = async (life) => {
  if (process.platform === 'win32') return 'needs permissions as Unix has them';
  const directory = join(await temporaryDirectory(life), 'writable');
  await mkdir(directory);
  const runAs = isRoot ? await nobody() : {};
  await giveTo(runAs, directory);
  const set = (ofDirectory: number, ofFiles: number) => async (): Promise<void> => {
    for (const name of await readdir(directory)) await chmod(join(directory, name), ofFiles);
    await chmod(directory, ofDirectory);
  };
  return { directory, runAs, fillsUp: false, begin: set(0o555, 0o400), end: set(0o755, 0o600) };
};

/** A directory that is no longer there, for example because a disk was unmounted. */
export const removed: Fault = async (life) => {
  const directory = join(await temporaryDirectory(life), 'removed');
  await mkdir(directory);
  const elsewhere = `${directory}-elsewhere`;
  return {
    ...{ directory, runAs: {}, fillsUp: false },
    begin: () => rename(directory, elsewhere),
    end: () => rename(elsewhere, directory),
  };
};
