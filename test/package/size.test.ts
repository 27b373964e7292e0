import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { projectWith } from '../_package.js';
import { installedSize, limits } from '../inventory/_dependencies.js';

/** The sum of the sizes of the files below a folder, in bytes. */
const bytesBelow = async (folder: string): Promise<number> => {
  let sum = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return sum;
};

test('the package and all that it installs stay within the limit', async (t) => {
  const own = await bytesBelow(join(await projectWith(t, {}), 'node_modules/triage-api'));
  const { bytes } = await installedSize();
  t.true(own > 5_000_000);
  t.true(own + bytes <= limits.megabytes * 1_000_000, `${own} + ${bytes} bytes`);
});
