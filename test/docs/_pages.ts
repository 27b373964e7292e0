import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The pages of docs/ by file name, without their table of contents. */
export const pages: readonly string[] = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .sort();

const outside = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

const examples = readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`);

/** Every document of the repository, by its path. */
export const documents: readonly string[] = [
  ...outside,
  ...examples,
  'docs/README.md',
  ...pages.map((name) => `docs/${name}`),
];

/** A text without its fenced blocks, in which nothing is a heading or a link. */
export const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The fragments by which a forge links to the headings of a document. */
export const anchors = (text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} (.*)$/gm)) {
    const words = heading
      .replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = words;
    for (let count = 1; found.has(anchor); count += 1) anchor = `${words}-${count}`;
    found.add(anchor);
  }
  return found;
};

export type Link = Readonly<{ path: string; fragment: string }>;

/** The links of a document to files of the repository, `path` relative to its root. */
export const linksOf = (document: string, text: string): readonly Link[] =>
  Array.from(
    withoutBlocks(text).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
    ([, target = '', fragment = '']) => ({
      path: target === '' ? document : join(dirname(document), target),
      fragment,
    }),
  );
