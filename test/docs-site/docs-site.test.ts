import { readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { violations } from '../browser/_axe.js';
import { browse } from '../browser/_browser.js';
import { staticHost } from '../browser/_static-host.js';
import { pages, root } from '../docs/_pages.js';
import { directoryWith } from '../fixtures/_directory.js';
import { buildSite, searchSite } from './_docs-site.js';

/** The site that is built of docs/, and its pages as HTML by name. */
const site = await buildSite({
  DOCS_BASE: '/somewhere/',
  DOCS_REPOSITORY_URL: 'https://forge.test/triage-api',
});
const names = ['contents', ...pages.map((name) => name.replace(/\.md$/, ''))];
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
      const target = inside[1] === undefined ? name : inside[1] || 'contents';
      t.true(html.get(target)?.includes(`id="${decodeURIComponent(inside[2] ?? '')}"`), `${name}: ${href}`);
      fragments += 1;
    }
  }
  t.true(fragments > 200);
});

test('every address on a page is that of a file, also of the demo', async (t) => {
  const front = await readFile(join(site, 'index.html'), 'utf8');
  for (const [name, text] of [['index', front] as const, ...html]) {
    for (const href of hrefs(text)) {
      const { host, pathname } = new URL(href, `https://site.test/somewhere/${name}`);
      if (host !== 'site.test') continue;
      const path = pathname.replace(/^\/somewhere\//, '');
      const file = /^(demo\/|$)/.test(path)
        ? join(path, 'index.html')
        : /\.\w+$/.test(path)
          ? path
          : `${path}.html`;
      await t.notThrowsAsync(stat(join(site, file)), `${name}: ${href}`);
    }
  }
  const live = [...html].filter(([, text]) => text.includes('>see it live</a>)')).map(([name]) => name);
  t.deepEqual(live, ['api', 'fixtures', 'simulate', 'states', 'tutorial']);
});

test('the front page opens the demo, and so do deep links, where one page answers all unknown addresses', async (t) => {
  const folder = await directoryWith(t, {});
  await symlink(site, join(folder, 'somewhere'));
  const host = await staticHost(t, folder, { site: '/somewhere/404' });
  const base = `${host.origin}/somewhere/`;
  const page = await (await browse(t, { colorScheme: 'dark' })).newPage();
  await page.goto(base);
  const picture = page.getByRole('img', { name: /overview of the explorer/ });
  t.is(await picture.getAttribute('src'), '/somewhere/images/explorer-dark.png');
  t.is(await page.locator('.VPFeature').count(), 6);
  await page.getByRole('link', { name: 'Open the live demo' }).click();
  await page.getByRole('button', { name: 'Reset this demo' }).waitFor();
  t.is(page.url(), `${base}demo/`);

  const other = await (await browse(t)).newPage();
  await other.goto(`${base}demo/explore/findings/fix_0001`);
  await other.getByRole('button', { name: 'Reset this demo' }).waitFor();
  t.is(await other.getByRole('heading', { level: 1 }).innerText(), 'Log in');
  await other.goto(`${base}nowhere`);
  await other.getByText('PAGE NOT FOUND').waitFor();
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
  ['fail', 'simulate#how-rules-work-together'],
  ['token', 'accounts#pages-and-requests'],
] as const) {
  test(`the search finds ${words} on the first hit`, async (t) => {
    t.is((await searchSite(words))[0], `/somewhere/${section}`);
  });
}

test('on a phone, tables are stacked, a console is copied as its commands, and axe finds nothing', async (t) => {
  const folder = await directoryWith(t, {});
  await symlink(site, join(folder, 'somewhere'));
  const host = await staticHost(t, folder, { site: '/somewhere/404' });
  const context = await browse(t, {
    viewport: { width: 390, height: 844 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  for (const name of ['', 'command-line.html', 'simulate.html'])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${host.origin}/somewhere/${name}`);
      await page.waitForLoadState('networkidle');
      t.is(await page.getByRole('main').count(), 1, name);
      t.deepEqual(await violations(page), [], `${name} ${colorScheme}`);
    }
  const cell = "document.querySelector('.vp-doc td')";
  t.is(await page.evaluate(`getComputedStyle(${cell}).display`), 'block');
  t.true((await page.evaluate<string>(`${cell}.dataset.label`)).length > 0);
  const block = page.locator('.language-console').first();
  const text = await block.locator('code').innerText();
  await block.locator('button.copy').click();
  await block.locator('button.copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const commands = Array.from(text.matchAll(/^\$ (.*)$/gm), ([, command]) => command);
  t.true(commands.length > 0 && text.split('\n').length > commands.length);
  t.is(copied.trim(), commands.join('\n'));
});

test('the rooms of the source are a picture, with every room and every arrow', (t) => {
  const [picture = ''] = /<svg fill="currentColor"[\s\S]*?<\/svg>/.exec(html.get('architecture') ?? '') ?? [];
  const nodes = Array.from(
    picture.matchAll(/class="node"[\s\S]*?<text [^>]*>([^<]+)<\/text>/g),
    ([, name]) => name,
  );
  for (const room of ['cli', 'verify', 'postgres', 'common']) t.true(nodes.includes(room), room);
  t.is(nodes.length, 18);
  t.true(picture.split('class="edge"').length > 20);
  t.notRegex(picture, /black|\bwhite\b/);
});

test('a block that is a file has the file’s name above it', (t) => {
  t.regex(html.get('fixtures') ?? '', /<p><code>rows\.test\.mjs<\/code><\/p>/);
});
