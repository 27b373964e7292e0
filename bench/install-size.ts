import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { atMost, reportOf, type SectionContext, type SectionReport } from './section.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const Lock = t.type({
  packages: t.record(t.string, t.type({ dev: t.union([t.boolean, t.undefined]) })),
});

/** The folders of the packages that an installation without development dependencies has. */
export const productionPackages = (lock: unknown): readonly string[] => {
  const decoded = Lock.decode(lock);
  if (E.isLeft(decoded)) throw new Error('package-lock.json has no packages');
  return Object.entries(decoded.right.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path]) => path);
};

/** The bytes of the files in a folder, without those of the packages nested in it. */
const bytesIn = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules')
      .map(async (entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? bytesIn(path) : (await lstat(path)).size;
      }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** How many packages an installation has, and their size on disk. */
export const benchInstall = async (_: SectionContext): Promise<SectionReport> => {
  const packages = productionPackages(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const sizes: number[] = [];
  for (const path of packages) sizes.push(await bytesIn(join(root, path)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return reportOf(
    atMost(90, { measure: 'Production dependencies', value: packages.length, unit: '' }),
    atMost(30, { measure: 'Size of production dependencies', value: bytes / 1e6, unit: 'MB' }),
  );
};
