import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundle, bundleFolder } from './bundle.js';

/** Writes the bundle of the command line, which `bin/triage-api.js` starts. It is part of the package. */
const { files } = await bundle();
await rm(bundleFolder, { recursive: true, force: true });
for (const [path, contents] of files) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}
