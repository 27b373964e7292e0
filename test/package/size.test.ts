import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import * as t from 'io-ts';
import { bundledPackages, copiedPackages, lockedPackages, root } from '../../scripts/inventory.js';
import { projectWith } from '../_package.js';

/** The sum of the sizes of the files below a folder, in bytes, without what is in a folder of this name. */
const bytesBelow = async (folder: string, except = ''): Promise<number> => {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) sum += (await stat(path)).size;
    if (entry.isDirectory() && entry.name !== except) sum += await bytesBelow(path, except);
  }
  return sum;
};

test('the package and all that it installs stay within the limits', async (t) => {
  const own = await bytesBelow(join(await projectWith(t, {}), 'node_modules/triage-api'));
  const installed = (await lockedPackages()).filter(({ isInstalled }) => isInstalled);
  const sizes = await Promise.all(installed.map(({ folder }) => bytesBelow(folder, 'node_modules')));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  t.true(installed.length > 50 && installed.length <= 90, `${installed.length} packages`);
  t.true(own > 5_000_000 && bytes > 5_000_000);
  t.true(own + bytes <= 25_000_000, `${own} + ${bytes} bytes`);
});

test('the contract as unit tests is one file of at most 120 kB, whose types need no other', async (t) => {
  const folder = join(await projectWith(t, {}), 'node_modules/triage-api/build/verify');
  t.deepEqual((await readdir(folder)).sort(), ['index.d.ts', 'index.js']);
  const { size } = await stat(join(folder, 'index.js'));
  t.true(size > 50_000 && size <= 120_000, `${size} bytes`);
  t.notRegex(await readFile(join(folder, 'index.d.ts'), 'utf8'), /\bfrom ['"]|\bimport\b/);
});

test('docs/architecture.md says what each package is for', async (t) => {
  const page = await readFile(join(root, 'docs/architecture.md'), 'utf8');
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), ...bundledPackages, ...copiedPackages])
    t.true(page.includes(`\`${name}\``), name);
});

const Packed = t.tuple([t.type({ size: t.number, files: t.array(t.type({ path: t.string })) })]);

test('the package has the bill of materials and the licences, and nothing hidden, no sources, no tests and no tools', async (t) => {
  const words = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const packed: unknown = JSON.parse((await promisify(execFile)('npm', words, { cwd: root })).stdout);
  const [{ size, files: entries }] = Packed.is(packed) ? packed : [{ size: Number.NaN, files: [] }];
  const files = entries.map(({ path }) => path);
  t.true(size <= 2_200_000, `${size} bytes`);
  t.true(files.length > 300 && files.length <= 900, `${files.length} files`);
  t.deepEqual(
    files.filter((path) =>
      /(?:^|\/)\.|^(?:src|test|bench|compose|secrets|build\/(?:test|bench))\b|^docs\/(?!.*\.md$)/.test(path),
    ),
    [],
  );
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  for (const name of ['sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt']) {
    t.true(files.includes(name), name);
    t.true(dockerfile.includes(`COPY --from=build /app/${name} `), name);
  }
  t.true(files.includes('LICENSE'));
});

test('npm has nothing to warn of when it installs the package, from wherever', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const scriptsOfInstalling = [
    'preinstall',
    'install',
    'postinstall',
    'preprepare',
    'prepare',
    'postprepare',
  ];
  t.deepEqual(
    scriptsOfInstalling.filter((name) => name in scripts),
    [],
  );
  // It builds a clone, so also what is installed from a git repository.
  t.is(scripts.dependencies, 'node scripts/prepare.js build:package');
});
