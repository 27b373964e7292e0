import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundle, bundleFolder, bundleVerify, bundleWorker, verifyFile, workerFile } from './bundle.js';

/** Writes the bundles: of the command line, which `bin/triage-api.js` starts, of a demo's worker, of an entry. */
const { files } = await bundle();
await rm(bundleFolder, { recursive: true, force: true });
for (const file of [workerFile, verifyFile]) await rm(dirname(file), { recursive: true, force: true });
const others = [...(await bundleWorker()).files, ...(await bundleVerify()).files];
for (const [path, contents] of [...files, ...others.map(({ path, contents }) => [path, contents] as const)]) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}
