import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { billOfMaterials, licenseDocument, root, shippedPackages, wordLists } from './inventory.js';

/**
 * Writes the bill of materials and the licences of what is shipped, unless both are newer than all that they
 * are made from. They are part of the package. Fails if a licence is missing or not allowed.
 */
const [bill, licenses] = [join(root, 'sbom.cdx.json'), join(root, 'THIRD-PARTY-LICENSES.txt')];
const changedAt = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.mtimeMs ?? 0;
const written = await Promise.all([bill, licenses].map(changedAt));
const sources = await Promise.all(
  [join(root, 'package-lock.json'), wordLists, join(root, 'build/scripts/inventory.js')].map(changedAt),
);
if (Math.min(...written) <= Math.max(...sources)) {
  await writeFile(bill, `${JSON.stringify(await billOfMaterials(), null, 2)}\n`);
  await writeFile(licenses, await licenseDocument(await shippedPackages()));
}
