import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { pages, root } from '../docs/_pages.js';
import { buildSite, searchSite } from './_docs-site.js';

/** The site that is built of docs/, and its pages as HTML by name. */
const site = await buildSite({
  DOCS_BASE: '/somewhere/',
  DOCS_REPOSITORY_URL: 'https://forge.test/triage-api',
});
const names = ['index', ...pages.map((name) => name.replace(/\.md$/, ''))];
const html = new Map<string, string>();
for (const name of names) html.set(name, await readFile(join(site, `${name}.html`), 'utf8'));

/** The addresses that a page links to. */
const hrefs = (text: string): readonly string[] =>
  Array.from(text.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = '']) => href);

test('every page is there with its title, and in the side bar of every other', (t) => {
  for (const [name, text] of html) {
    t.regex(text, /<h1 [^>]*>.+?<\/h1>/s, name);
    for (const other of names.slice(1))
      t.true(text.includes(`href="/somewhere/${other}"`), `${name}: ${other}`);
  }
});

test('links lead to pages and headings of the site, or to files of the repository', async (t) => {
  let fragments = 0;
  for (const [name, text] of html) {
    for (const href of hrefs(text)) {
      const outside = /^https:\/\/forge\.test\/triage-api\/blob\/main\/([^#]*)/.exec(href);
      if (outside?.[1] !== undefined)
        await t.notThrowsAsync(readFile(join(root, outside[1])), `${name}: ${href}`);
      const inside = /^(?:\/somewhere\/([\w-]*))?#(.+)$/.exec(href);
      if (inside === null) continue;
      const target = inside[1] === undefined ? name : inside[1] || 'index';
      t.true(html.get(target)?.includes(`id="${decodeURIComponent(inside[2] ?? '')}"`), `${name}: ${href}`);
      fragments += 1;
    }
  }
  t.true(fragments > 200);
});

test('the search knows the headings of every page', async (t) => {
  const chunks = join(site, 'assets/chunks');
  const [index = ''] = (await readdir(chunks)).filter((name) => name.startsWith('@localSearchIndex'));
  const text = await readFile(join(chunks, index), 'utf8');
  for (const name of names.slice(1)) t.true(text.includes(`/somewhere/${name}#`), name);
});

for (const [words, section] of [
  ['503', 'simulate#a-503-for-one-request-the-header-prefer'],
  ['clock', 'simulate#time'],
  ['tenant per worker', 'recipes#playwright-with-a-tenant-per-worker'],
  ['Playwright', 'recipes#playwright-with-a-tenant-per-worker'],
  ['401', 'api#5-authentication-and-401'],
  ['Storybook', 'recipes#storybook-with-mock-service-worker'],
] as const) {
  test(`the search finds ${words} on the first hit`, async (t) => {
    t.is((await searchSite(words))[0], `/somewhere/${section}`);
  });
}

test('the rooms of the source are a picture, with every room and every arrow', (t) => {
  const [picture = ''] = /<svg fill="currentColor"[\s\S]*?<\/svg>/.exec(html.get('architecture') ?? '') ?? [];
  const nodes = Array.from(
    picture.matchAll(/class="node"[\s\S]*?<text [^>]*>([^<]+)<\/text>/g),
    ([, name]) => name,
  );
  for (const room of ['cli', 'contract-tools', 'storage/postgres', 'common'])
    t.true(nodes.includes(room), room);
  t.is(nodes.length, 28);
  t.true(picture.split('class="edge"').length > 30);
  t.notRegex(picture, /black|\bwhite\b/);
});

test('a block that is a file has the file’s name above it', (t) => {
  t.regex(html.get('fixtures') ?? '', /<p><code>one-line\.test\.mjs<\/code><\/p>/);
});
