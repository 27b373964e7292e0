import { readdir } from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { search } from './.vitepress/search.js';

/**
 * Prints the sections that the search box of the built site finds, the best first: `node find.js clock`. The
 * fields are those of the theme.
 */
const chunks = new URL('.vitepress/dist/assets/chunks/', import.meta.url);
const [index] = (await readdir(chunks)).filter((name) => name.startsWith('@localSearchIndex'));
const { default: text } = await import(new URL(index, chunks).href);
const found = MiniSearch.loadJSON(text, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  ...search,
}).search(process.argv.slice(2).join(' '));
for (const { id, title } of found.slice(0, 16)) process.stdout.write(`${id} ${title}\n`);
