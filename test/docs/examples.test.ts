import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { documentText } from '../_documented.js';
import { exampleFiles } from '../_examples.js';
import { root } from './_pages.js';

/** The examples, and the page that shows their files. */
const page = documentText('recipes.md');

const shown = Array.from(
  page.matchAll(/^```\w+ (?:vitest )?(\S+\.\w+)\n([\s\S]*?)^```$/gm),
  ([, path = '', text = '']) => [path, text] as const,
);

const json = async (path: string): Promise<Readonly<Record<string, string>>> =>
  Object(JSON.parse(await readFile(join(root, path), 'utf8')));

test('the recipes show files of the examples as they are', (t) => {
  const files = { ...exampleFiles('react-app'), ...exampleFiles('contract-test') };
  t.true(shown.length >= 8);
  for (const [path, text] of shown) t.is(text, files[path] ?? '', path);
});

test('the examples depend on the versions that their tests use', async (t) => {
  const used = {
    ...Object((await json('bench/runners/package.json')).dependencies),
    ...Object((await json('examples/front-ends/package.json')).dependencies),
    ...Object((await json('examples/third-party-tools/package.json')).dependencies),
    typescript: Object((await json('package.json')).devDependencies).typescript,
    'triage-api': 'file:../..',
  };
  for (const name of ['react-app', 'contract-test', 'pact']) {
    const { dependencies, devDependencies } = await json(`examples/${name}/package.json`);
    const wanted = { ...Object(dependencies), ...Object(devDependencies) };
    t.true('triage-api' in wanted);
    for (const [dependency, version] of Object.entries(wanted)) t.is(version, used[dependency], dependency);
  }
});
