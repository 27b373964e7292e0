import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { contents } from './contents.js';
import {
  cellLabels,
  commandsAlone,
  emptyHeaders,
  fileNames,
  linksOutside,
  linksToDemo,
  slugify,
} from './markdown.js';
import { pictures } from './pictures.js';
import { search } from './search.js';

const docs = new URL('../../', import.meta.url);
const groups = contents(readFileSync(new URL('README.md', docs), 'utf8'));

/**
 * Where the files of the repository are shown; without it, links to files outside of docs/ become plain text.
 */
const repository = process.env.DOCS_REPOSITORY_URL;

const base = process.env.DOCS_BASE ?? '/';
const demo = `${base}demo/`;

/** Some hosts answer every unknown address with the 404.html of the site. Below the demo, it gives way to that of the demo. */
const startDemo = `if (location.pathname.startsWith(${JSON.stringify(demo)}))
  fetch(${JSON.stringify(`${demo}404.html`)}).then((page) => page.text()).then((text) => {
    document.open();
    document.write(text);
    document.close();
  });`;

export default defineConfig({
  title: 'triage-api',
  description:
    'The read-only API v1 of a dependency-vulnerability triage service, as software anyone can run',
  lang: 'en',
  base,
  srcDir: 'pages',
  srcExclude: ['public/**'],
  rewrites: { 'README.md': 'contents.md' },
  cleanUrls: true,
  // Addresses of a server that the reader starts.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [commandsAlone],
    config: (md) => {
      fileNames(md);
      emptyHeaders(md);
      pictures(md);
      cellLabels(md);
      linksOutside(md, repository);
      linksToDemo(md, demo);
    },
  },
  // The theme gives no landmark to the front page.
  transformHtml: (code) => code.replace(' is-home" id="VPContent"', ' is-home" id="VPContent" role="main"'),
  transformHead: ({ page }) => (page === '404.md' ? [['script', {}, startDemo]] : []),
  themeConfig: {
    sidebar: groups,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: search } },
    nav: [
      { text: 'Documents', link: '/contents' },
      { text: 'Live demo', link: '/demo/', target: '_self' },
      ...(repository === undefined ? [] : [{ text: 'Source code', link: repository }]),
    ],
  },
});
