import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { blocks } from '../_documented.js';
import { listen, run } from '../cli/_cli.js';
import { anchors, documents, linksOf, pages, root } from './_pages.js';

/** What holds for every page of docs/. */
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

const titleOf = (text: string): string => /^# (.*)\n/.exec(text)?.[1] ?? '';

test('every page says first what it is for, and soon shows something to run', async (t) => {
  for (const name of pages) {
    const text = await read(`docs/${name}`);
    const [start = ''] = text.split(/^## /m, 2);
    const [, paragraph = ''] = start.split('\n\n');
    t.regex(paragraph, /^[\p{L}`[][^|]{40,}[.:]$/su, name);
    const [before = '', first = ''] = text.split(/^## /m, 2);
    t.regex(`${before}${first}`, /^```(sh|console|js|ts|json|html|sql|yaml|mermaid)/m, name);
  }
});

test('there are at most 25 pages, and 43,200 words', async (t) => {
  const texts = await Promise.all(['README.md', ...pages].map((name) => read(`docs/${name}`)));
  t.true(texts.length > 15 && texts.length <= 25, `${texts.length} pages`);
  // As `cat docs/*.md | wc -w` counts.
  const words = texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
  t.true(words <= 43_200, `${words} words`);
});

test('the table of contents has every page once, under its title', async (t) => {
  const contents = await read('docs/README.md');
  const listed = Array.from(contents.matchAll(/^- \[(.*?)\]\((.*?)\): /gm), ([, title = '', name = '']) => ({
    title,
    name,
  }));
  t.deepEqual(listed.map(({ name }) => name).sort(), pages);
  for (const { title, name } of listed) t.is(titleOf(await read(`docs/${name}`)), title, name);
});

test('links lead to files and headings that exist', async (t) => {
  const texts = new Map<string, string>();
  for (const document of documents) texts.set(document, await read(document));
  for (const [document, text] of texts) {
    for (const { path, fragment } of linksOf(document, text)) {
      await t.notThrowsAsync(readFile(join(root, path)), `${document}: ${path}`);
      if (fragment === '') continue;
      t.true(anchors(texts.get(path) ?? '').has(fragment), `${document}: ${path}#${fragment}`);
    }
  }
});

test('a heading has the anchor that a forge gives it', (t) => {
  const text = '# The `a` & b\n## Über [x](y.md), it’s 1.5\n## Same\n## Same\n```sh\n# no heading\n```\n';
  t.deepEqual([...anchors(text)], ['the-a--b', 'über-x-its-15', 'same', 'same-1']);
});

test('the commands with which pages begin print what they say', async (t) => {
  const { url } = await listen(t, []);
  for (const [name, count] of [
    ['command-line.md', 1],
    ['operations.md', 1],
  ] as const) {
    const [start = ''] = (await read(`docs/${name}`)).split(/^## /m, 1);
    const examples = blocks(start, 'console');
    t.is(examples.length, count, name);
    for (const example of examples) {
      const [command = '', ...printed] = example.trimEnd().split('\n');
      const words = command.replace('$ node bin/triage-api.js ', '').replace('http://127.0.0.1:4000', url);
      t.is((await run(words.split(' '))).out.trimEnd(), printed.join('\n'), command);
    }
  }
});
