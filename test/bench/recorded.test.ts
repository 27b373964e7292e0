import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { performanceFiles, replaceBetween } from '../../bench/performance-page.js';
import { merged, type RecordedSection, readRecorded } from '../../bench/recorded.js';
import { reportOf } from '../../bench/section.js';
import { root } from '../inventory/_shipped-packages.js';

const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

const section = (name: string, date: string): RecordedSection => ({
  name,
  circumstances: { date, commit: '', node: '', machine: '', rounds: '', load: 0 },
  report: reportOf(),
});

test('the page on performance and its charts show what was recorded', async (t) => {
  const page = await read('docs/performance.md');
  for (const [name, text] of Object.entries(performanceFiles(page, await readRecorded())))
    t.is(await read(`docs/${name}`), text, name);
});

test('what was measured again replaces its section, and the others stay', (t) => {
  const recorded = { sections: [section('a', 'old'), section('b', 'old'), section('removed', 'old')] };
  const changed = merged(recorded, [section('c', 'new'), section('b', 'new')], ['a', 'b', 'c']);
  t.deepEqual(
    changed.sections.map(({ name, circumstances }) => `${name} ${circumstances.date}`),
    ['a old', 'b new', 'c new'],
  );
});

test('text is replaced only between its marks', (t) => {
  const document = 'a\n<!-- x -->\nold\n<!-- /x -->\nb';
  t.is(replaceBetween(document, 'x', 'new'), 'a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb');
  t.throws(() => replaceBetween(document, 'y', 'new'));
});

test('the peers are exact versions, and none is a dependency of the project', async (t) => {
  const peers: Readonly<Record<string, string>> = JSON.parse(
    await read('bench/peers/package.json'),
  ).dependencies;
  const { packages } = JSON.parse(await read('package-lock.json'));
  for (const [name, version] of Object.entries(peers)) {
    t.regex(version, /^(?:npm:[\w-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
    t.false(`node_modules/${name}` in packages, name);
  }
  t.false((await read('bench/peers/package-lock.json')).includes('"resolved"'));
});
