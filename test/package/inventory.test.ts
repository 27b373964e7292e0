import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import test from 'ava';
import * as t from 'io-ts';
import { billOfMaterials } from '../inventory/_bill-of-materials.js';
import { licenseDocument, licenseProblems } from '../inventory/_licenses.js';
import {
  bundledPackages,
  copiedPackages,
  idOf,
  lockedPackages,
  root,
  shippedPackages,
  withDependencies,
} from '../inventory/_shipped-packages.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

test('every dependency that is installed with the package is in the bill of materials and in the licences', async (t) => {
  const bom = JSON.parse(await read('sbom.cdx.json'));
  const licenses = await read('THIRD-PARTY-LICENSES.txt');
  const { packages } = JSON.parse(await read('package-lock.json'));
  const installed = Object.entries<{ version: string; dev?: boolean }>(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  t.true(installed.length > 50);
  const listed = new Set<string>(
    bom.components.map((each: Readonly<{ 'bom-ref': string }>) => each['bom-ref']),
  );
  const missing = installed.filter((id) => !listed.has(id) || !licenses.includes(`=\n${id}\n`));
  t.deepEqual(missing, []);
  const extra = [...listed].filter((id) => !installed.includes(id)).map((id) => id.replace(/@[\d.]+$/, ''));
  const bundled = withDependencies(await lockedPackages(), bundledPackages);
  const known = [
    ...copiedPackages,
    ...Array.from(bundled, (folder) => folder.replace(/^.*node_modules\//, '')),
  ];
  t.deepEqual(
    extra.filter((name) => !known.includes(name)),
    [],
  );
  for (const name of [...copiedPackages, ...bundledPackages]) t.true(extra.includes(name), name);
});

test('each package whose files the build copies is in the bill of materials, with what is bundled in it', async (t) => {
  const { scripts } = JSON.parse(await read('package.json'));
  const copied = Array.from(
    scripts.assets.matchAll(/require\.resolve\('([\w@/.-]+)\/'/g),
    ([, name]) => name,
  );
  t.deepEqual(copied, copiedPackages);
  const { components } = JSON.parse(await read('sbom.cdx.json'));
  const ui = components.find((each: Readonly<{ name: string }>) => each.name === 'swagger-ui-dist');
  const bundled: readonly string[] = ui.components.map((each: Readonly<{ name: string }>) => each.name);
  for (const name of ['react-dom', 'dompurify', '@swagger-api/apidom-core'])
    t.true(bundled.includes(name), name);
});

test('the bill of materials is valid CycloneDX, and the same each time', async (t) => {
  const shipped = await shippedPackages();
  const text = await billOfMaterials(shipped);
  t.is(text, await billOfMaterials(shipped));
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  t.is(await validator.validate(text), null);
  t.not(await validator.validate(text.replace('"bomFormat": "CycloneDX"', '"bomFormat": "Other"')), null);
});

const Packed = t.tuple([t.type({ files: t.array(t.type({ path: t.string })) })]);

/** The files that would be published. */
const packedFiles = async (): Promise<readonly string[]> => {
  const words = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const packed: unknown = JSON.parse((await promisify(execFile)('npm', words, { cwd: root })).stdout);
  return Packed.is(packed) ? packed[0].files.map(({ path }) => path) : [];
};

test('the package contains nothing hidden, no tests and no tools', async (t) => {
  const files = await packedFiles();
  t.true(files.length > 500);
  t.deepEqual(
    files.filter((path) => /(?:^|\/)\.|^(?:test|bench|compose|secrets|build\/(?:test|bench))\b/.test(path)),
    [],
  );
});

test('the package and the image contain the bill of materials and the licences, as they are now', async (t) => {
  const files = await packedFiles();
  const dockerfile = await read('Dockerfile');
  for (const name of ['sbom.cdx.json', 'THIRD-PARTY-LICENSES.txt']) {
    t.true(files.includes(name), name);
    t.true(dockerfile.includes(`COPY --from=build /app/${name} `), name);
  }
  t.true(files.includes('LICENSE'));
  const shipped = await shippedPackages();
  t.is(await read('sbom.cdx.json'), await billOfMaterials(shipped), 'run `npm run inventory`');
  t.is(await read('THIRD-PARTY-LICENSES.txt'), await licenseDocument(shipped), 'run `npm run inventory`');
});

test('every shipped package has a licence that is allowed, and its text', async (t) => {
  const shipped = await shippedPackages();
  t.deepEqual(await licenseProblems(shipped), []);
  const folder = await directoryWith(t, {});
  const made = { name: 'made-up', version: '1.0.0', folder };
  t.deepEqual(
    await licenseProblems([
      { ...made, license: 'MIT' },
      { ...made, license: 'AGPL-3.0-only' },
      { ...made, license: '' },
    ]),
    [
      `${idOf(made)}: there is no text of a licence`,
      `${idOf(made)}: "AGPL-3.0-only" is not allowed`,
      `${idOf(made)}: "" is not allowed`,
    ],
  );
});
