import { cp, readdir, rm } from 'node:fs/promises';

/**
 * Copies the pages and pictures of docs/ into this folder, because the generator finds its packages only from
 * there.
 */
const from = new URL('../', import.meta.url);
const to = new URL('pages/', import.meta.url);

await rm(to, { recursive: true, force: true });
for (const entry of await readdir(from, { withFileTypes: true })) {
  if (entry.name !== 'site')
    await cp(new URL(entry.name, from), new URL(entry.name, to), { recursive: true });
}
