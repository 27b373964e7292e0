import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { dependenciesPage, explained, installedSize, limits } from './_dependencies.js';
import { bundledPackages, root, shippedPackages } from './_shipped-packages.js';

const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

test('what is installed with the package stays within the limits', async (t) => {
  const { packages, bytes } = await installedSize();
  t.true(packages > 50 && packages <= limits.packages, `${packages} packages`);
  t.true(bytes > 5_000_000 && bytes <= limits.megabytes * 1_000_000, `${bytes} bytes`);
  const shipped = await shippedPackages();
  const folders = shipped.filter(({ isInstalled }) => isInstalled).flatMap((each) => each.folders);
  t.is(folders.length, packages);
});

test('docs/dependencies.md says what each dependency is for, and its size', async (t) => {
  const { dependencies } = JSON.parse(await read('package.json'));
  t.deepEqual(explained.installed, Object.keys(dependencies));
  t.deepEqual(explained.bundled, bundledPackages);
  t.is(await read('docs/dependencies.md'), await dependenciesPage(), 'run `npm run derive`');
});
