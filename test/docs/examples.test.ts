import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { performancePictures } from '../../bench/picture.js';
import { everyMust, verifyCore } from '../_core-example.js';
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
    'axe-core': Object((await json('package.json')).devDependencies)['axe-core'],
    'triage-api': 'file:../..',
  };
  for (const name of ['react-app', 'contract-test', 'pact']) {
    const { dependencies, devDependencies } = await json(`examples/${name}/package.json`);
    const wanted = { ...Object(dependencies), ...Object(devDependencies) };
    t.true('triage-api' in wanted);
    for (const [dependency, version] of Object.entries(wanted)) t.is(version, used[dependency], dependency);
  }
});

const example = join(root, 'examples/core/server.js');

test('the service of rows alone that the README shows keeps every must of the contract', async (t) => {
  t.regex(await verifyCore(t, example), everyMust);
});

test('the README shows how the example is composed', async (t) => {
  const [readme, program] = await Promise.all(
    [join(root, 'README.md'), example].map((file) => readFile(file, 'utf8')),
  );
  for (const line of program?.match(/^(?:import|export) .*$/gm) ?? []) t.true(readme?.includes(line), line);
});

test('invalid tenants of the core are refused, with every problem', async (t) => {
  const { memory } = await import('triage-api/core');
  t.throws(() => memory([{ userId: 'ann', sessions: { s: 'tomorrow' }, tokens: {}, repos: [{}] }]), {
    instanceOf: TypeError,
    message: /sessions\/s: .*\n[\s\S]*repos\/0\/id/,
  });
});

test('the pictures of the page of performance are those of its table', (t) => {
  const { light, dark } = performancePictures(documentText('performance.md'));
  t.is(light.match(/<rect/g)?.length, 8);
  for (const [theme, picture] of Object.entries({ light, dark })) {
    const file = new URL(`../../../docs/images/performance-${theme}.svg`, import.meta.url);
    t.is(readFileSync(file, 'utf8'), picture, 'npm run bench -- --picture');
  }
});
