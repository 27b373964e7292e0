import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../inventory/_shipped-packages.js';
import { manualPage } from './_manual-page.js';

/** Writes the manual page, which is part of the package. */
await mkdir(join(root, 'man'), { recursive: true });
await writeFile(join(root, 'man/triage-api.1'), await manualPage());
