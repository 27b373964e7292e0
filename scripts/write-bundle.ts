import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundle, bundleFolder, bundleWorker, workerFile } from './bundle.js';

/** Writes the bundle of the command line, which `bin/triage-api.js` starts, and the worker of a demo. */
const { files } = await bundle();
await rm(bundleFolder, { recursive: true, force: true });
await rm(dirname(workerFile), { recursive: true, force: true });
const worker = (await bundleWorker()).files.map(({ path, contents }) => [path, contents] as const);
for (const [path, contents] of [...files, ...worker]) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}
