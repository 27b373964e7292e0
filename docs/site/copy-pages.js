import { cp, readdir, rm } from 'node:fs/promises';

/**
 * Copies the front page and docs/ into this folder, because the generator finds its packages only from there.
 * What is no page is published as it is, too.
 */
const from = new URL('../', import.meta.url);
const to = new URL('pages/', import.meta.url);

await rm(to, { recursive: true, force: true });
for (const { name } of await readdir(from, { withFileTypes: true })) {
  if (name === 'site') continue;
  const folders = name.endsWith('.md') ? [to] : [to, new URL('public/', to)];
  for (const folder of folders) await cp(new URL(name, from), new URL(name, folder), { recursive: true });
}
await cp(new URL('front-page.md', import.meta.url), new URL('index.md', to));
