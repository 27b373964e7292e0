import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dependenciesPage } from './_dependencies.js';
import { root } from './_shipped-packages.js';

/** Writes `docs/dependencies.md`. */
await writeFile(join(root, 'docs/dependencies.md'), await dependenciesPage());
