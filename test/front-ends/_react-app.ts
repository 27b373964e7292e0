import { block, documentText } from '../_documented.js';

const page = await documentText('recipes.md');

/** The files of the page that the recipes show. */
export const reactApp: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'index.html': block(page, 'html index.html'),
  'vite.config.mjs': block(page, 'js vite.config.mjs'),
  'src/api.js': block(page, 'js src/api.js'),
  'src/findings.jsx': block(page, 'jsx src/findings.jsx'),
  'src/main.jsx': block(page, 'jsx src/main.jsx'),
};
