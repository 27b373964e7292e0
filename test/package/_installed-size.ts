import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lockedPackages } from '../../scripts/inventory.js';

/** How much the packages may be that are installed with this one. */
export const limits = { packages: 90, megabytes: 25 } as const;

/** The sum of the sizes of the files below a folder, in bytes, without what is in a folder of this name. */
export const bytesBelow = async (folder: string, except = ''): Promise<number> => {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) sum += (await stat(path)).size;
    if (entry.isDirectory() && entry.name !== except) sum += await bytesBelow(path, except);
  }
  return sum;
};

/** How many packages are installed with this one, and the size of their files. */
export const installedSize = async (): Promise<Readonly<{ packages: number; bytes: number }>> => {
  const installed = (await lockedPackages()).filter(({ isInstalled }) => isInstalled);
  const sizes = await Promise.all(installed.map(({ folder }) => bytesBelow(folder, 'node_modules')));
  return { packages: installed.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};
