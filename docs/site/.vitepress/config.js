import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { contents } from './contents.js';
import { fileNames, linksOutside, slugify } from './markdown.js';
import { pictures } from './pictures.js';
import { search } from './search.js';

const docs = new URL('../../', import.meta.url);
const groups = contents(readFileSync(new URL('README.md', docs), 'utf8'));

/**
 * Where the files of the repository are shown; without it, links to files outside of docs/ become plain text.
 */
const repository = process.env.DOCS_REPOSITORY_URL;

export default defineConfig({
  title: 'triage-api',
  description:
    'The read-only API v1 of a dependency-vulnerability triage service, as software anyone can run',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: 'pages',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  // Addresses of a server that the reader starts.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      fileNames(md);
      pictures(md);
      linksOutside(md, repository);
    },
  },
  themeConfig: {
    sidebar: groups,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: search } },
    ...(repository === undefined ? {} : { nav: [{ text: 'Source code', link: repository }] }),
  },
});
