import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import * as t from 'io-ts';
import { bundledPackages, copiedPackages, root } from '../../scripts/inventory.js';
import { projectWith } from '../_package.js';
import { bytesBelow, installedSize, limits } from './_installed-size.js';

test('the package and all that it installs stay within the limits', async (t) => {
  const own = await bytesBelow(join(await projectWith(t, {}), 'node_modules/triage-api'));
  const { packages, bytes } = await installedSize();
  t.true(packages > 50 && packages <= limits.packages, `${packages} packages`);
  t.true(own > 5_000_000 && bytes > 5_000_000);
  t.true(own + bytes <= limits.megabytes * 1_000_000, `${own} + ${bytes} bytes`);
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
  t.is(scripts.dependencies, 'node scripts/prepare.js');
});
