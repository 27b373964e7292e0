import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { documentText } from '../_documented.js';
import { exampleFiles } from '../_examples.js';
import { root } from './_pages.js';

/** The examples, and the page that shows their files. */
const page = documentText('recipes.md');

const shown = new Map(
  Array.from(
    page.matchAll(/^```\w+ (?:vitest )?(\S+\.\w+)\n([\s\S]*?)^```$/gm),
    ([, path = '', text = '']) => [path, text],
  ),
);

const json = async (path: string): Promise<Readonly<Record<string, string>>> =>
  Object(JSON.parse(await readFile(join(root, path), 'utf8')));

test('the recipes show every file of the examples as it is', (t) => {
  const files = { ...exampleFiles('react-app'), ...exampleFiles('contract-test') };
  const code = Object.entries(files).filter(([path]) => !/^(package\.json|\.gitignore)$/.test(path));
  t.deepEqual([...shown].sort(), code.sort());
});

test('the examples depend on the versions that their tests use', async (t) => {
  const used = {
    ...Object((await json('bench/runners/package.json')).dependencies),
    ...Object((await json('examples/front-ends/package.json')).dependencies),
    ...Object((await json('examples/third-party-tools/package.json')).dependencies),
    'triage-api': 'file:../..',
  };
  for (const name of ['react-app', 'contract-test', 'pact']) {
    const { dependencies, devDependencies } = await json(`examples/${name}/package.json`);
    const wanted = { ...Object(dependencies), ...Object(devDependencies) };
    t.true('triage-api' in wanted);
    for (const [dependency, version] of Object.entries(wanted)) t.is(version, used[dependency], dependency);
  }
});
