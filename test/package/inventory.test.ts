import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import {
  billOfMaterials,
  bundledPackages,
  copiedPackages,
  licenseDocument,
  lockedPackages,
  nameOf,
  root,
  shippedPackages,
} from '../../scripts/inventory.js';
import { directoryWith } from '../fixtures/_directory.js';

const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

test('the bill of materials and the licences list what is installed, bundled or copied, as it is now', async (t) => {
  t.deepEqual(JSON.parse(await read('sbom.cdx.json')), await billOfMaterials(), 'run `npm run inventory`');
  const licenses = await read('THIRD-PARTY-LICENSES.txt');
  const shipped = await shippedPackages();
  t.is(licenses, await licenseDocument(shipped), 'run `npm run inventory`');
  const ids = shipped.map(({ id }) => id);
  const installed = (await lockedPackages()).filter(({ isInstalled }) => isInstalled);
  t.deepEqual(
    installed.filter(({ id }) => !ids.includes(id) || !licenses.includes(`=\n${id}\n`)),
    [],
  );
  const names = ids.map(nameOf);
  for (const name of [...copiedPackages, ...bundledPackages]) t.true(names.includes(name), name);
  for (const name of ['ava', 'typescript']) t.false(names.includes(name), name);
  const { scripts } = JSON.parse(await read('package.json'));
  for (const [, name = ''] of scripts.assets.matchAll(/require\.resolve\('([\w@/.-]+)\/'/g))
    t.true(copiedPackages.includes(name), name);
});

test('a licence that is not allowed, or has no text, is refused', async (t) => {
  const made = { id: 'made-up@1.0.0', folder: await directoryWith(t, {}) };
  for (const [license, problem] of [
    ['MIT', 'there is no text of a licence'],
    ['AGPL-3.0-only', '"AGPL-3.0-only" is not allowed'],
    ['', '"" is not allowed'],
  ] as const)
    await t.throwsAsync(licenseDocument([{ ...made, license }]), { message: `${made.id}: ${problem}` });
});
