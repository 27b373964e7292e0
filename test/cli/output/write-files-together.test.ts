import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { writeFilesTogether } from '../../../src/cli/output/write-files.js';
import { aUser } from '../../_data.js';
import { samples } from '../../data/reports/_samples.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { run, sharedServer } from '../_cli.js';

const options = { force: false, pid: 1 };

test('if one file fails, none is written, and no directory is left', async (t) => {
  const directory = await directoryWith(t, {});
  const failing = function* () {
    yield 'some';
    throw new Error('ENOSPC: no space left on device');
  };
  const files = [
    { file: join(directory, 'new', 'one'), pieces: ['1'] },
    { file: join(directory, 'new', 'deep', 'two'), pieces: failing() },
  ];
  t.deepEqual(
    await writeFilesTogether(files, options),
    E.left([
      `cannot write ${directory}/new/deep/two: ENOSPC: no space left on device`,
      'nothing was written',
    ]),
  );
  t.deepEqual(await readdir(directory), []);
});

test('ten files that exist are named, and the others counted', async (t) => {
  const names = Array.from({ length: 12 }, (_, i) => `f${i}`);
  const directory = await directoryWith(t, Object.fromEntries(names.map((name) => [name, 'old'])));
  const files = names.map((name) => ({ file: join(directory, name), pieces: ['new'] }));
  const result = await writeFilesTogether(files, options);
  const lines = E.isLeft(result) ? result.left : [];
  t.is(lines.length, 11);
  t.is(lines[0], `${directory}/f0 already exists; pass --force to overwrite it`);
  t.is(lines[10], 'and 2 more files exist');
  t.deepEqual(await writeFilesTogether(files, { ...options, force: true }), E.right(undefined));
  t.is(await readFile(join(directory, 'f11'), 'utf8'), 'new');
});

const report = samples['npm audit (npm 7 and later)'];

/** Commands that write files, and one of the files below the folder. */
const commands: readonly (readonly [words: string, file: string])[] = [
  ['generate FOLDER/out --findings 9 --repos 3 --tenants 2', 'out/realistic-1-2.json'],
  ['check --complete FOLDER/in.json --out FOLDER/out', 'out/in.json'],
  ['import-from FOLDER/report.json -o FOLDER/new/', 'new/imported.json'],
  ['record FOLDER/recorded/x.json --url URL --session demo-session --rate 1000', 'recorded/x.json'],
  ['demo FOLDER/demo', 'demo/triage-api-worker.js'],
  ['init FOLDER/mine', 'mine/README.md'],
];

const server = sharedServer(test, ['--log-level', 'silent']);

for (const [words, file] of commands) {
  test(`an existing file is overwritten only with --force, and none is written beside it: ${words}`, async (t) => {
    const folder = await directoryWith(t, { 'in.json': { user: aUser('in') }, 'report.json': report });
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'mine');
    const given = words.replaceAll('FOLDER', folder).replace('URL', server().url).split(' ');
    const { code, err } = await run(given);
    t.deepEqual([code, err], [1, `${path} already exists; pass --force to overwrite it\n`]);
    t.deepEqual(await readdir(dirname(path)), [basename(path)]);
    t.is(await readFile(path, 'utf8'), 'mine');
    t.is((await run([...given, '--force'])).code, 0);
    t.not(await readFile(path, 'utf8'), 'mine');
  });
}
