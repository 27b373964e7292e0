import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './_bill-of-materials.js';
import { licenseDocument, licenseProblems, wordLists } from './_licenses.js';
import { root, shippedPackages } from './_shipped-packages.js';

/**
 * Writes the bill of materials and the licences of what is shipped, unless both are newer than the lock file
 * and this program. They are part of the package. Fails if a licence is missing or not allowed.
 */
const bill = join(root, 'sbom.cdx.json');
const licenses = join(root, 'THIRD-PARTY-LICENSES.txt');

const changedAt = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NEGATIVE_INFINITY,
  );
const own = ['_shipped-packages', '_bill-of-materials', '_licenses', '_write-inventory'].map((name) =>
  fileURLToPath(new URL(`${name}.js`, import.meta.url)),
);
const written = await Promise.all([bill, licenses].map(changedAt));
const needed = await Promise.all([join(root, 'package-lock.json'), wordLists, ...own].map(changedAt));
if (Math.min(...written) <= Math.max(...needed)) {
  const shipped = await shippedPackages();
  const problems = await licenseProblems(shipped);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await writeFile(bill, await billOfMaterials(shipped));
  await writeFile(licenses, await licenseDocument(shipped));
}
