import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { writeFileInDirectory, writeFilesTogether } from '../../../src/cli/output/write-files.js';
import { directoryWith } from '../../fixtures/_directory.js';

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

// Other systems have no such directory.
if (process.platform === 'linux')
  test('a directory that refuses new ones as if it did not exist is an error', async (t) => {
    const result = await writeFilesTogether([{ file: '/proc/a/b', pieces: [] }], options);
    t.deepEqual(
      result,
      E.left([
        "cannot write /proc/a/b: ENOENT: no such file or directory, mkdir '/proc/a'",
        'nothing was written',
      ]),
    );
    const reason = await writeFileInDirectory('/proc/a/b', '');
    t.is(reason, "cannot write /proc/a/b: ENOENT: no such file or directory, mkdir '/proc/a'");
  });
