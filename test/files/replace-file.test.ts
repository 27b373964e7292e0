import { link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { realFile } from '../../src/files/real-file.js';
import { removeTemporaryFiles, replaceFile } from '../../src/files/replace-file.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

test('a file is replaced, not overwritten, and only its user may read it', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const file = join(directory, 'x');
  await link(file, join(directory, 'other-name'));
  await replaceFile(file, 'new', { writer: 'w' });
  t.is(await readFile(file, 'utf8'), 'new');
  t.is(await readFile(join(directory, 'other-name'), 'utf8'), 'old');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['other-name', 'x']);
});

test('what fails before the file is renamed leaves the old content and no temporary file', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const file = join(directory, 'x');
  const contents: string[] = [];
  const replacing = replaceFile(file, 'new', {
    writer: 'w',
    beforeRename: async () => {
      contents.push(await readFile(join(directory, '.x.w.tmp'), 'utf8'));
      throw new Error('not now');
    },
  });
  await t.throwsAsync(replacing, { message: 'not now' });
  t.deepEqual(contents, ['new']);
  t.is(await readFile(file, 'utf8'), 'old');
  t.deepEqual(await readdir(directory), ['x']);
});

test('a temporary file that an earlier writer of the same name left behind is no obstacle', async (t) => {
  const directory = await directoryWith(t, { x: 'old', '.x.w.tmp': 'half' });
  await symlink(join(directory, 'x'), join(directory, '.x.v.tmp'));
  for (const writer of ['w', 'v']) await replaceFile(join(directory, 'x'), writer, { writer });
  t.is(await readFile(join(directory, 'x'), 'utf8'), 'v');
  t.false((await lstat(join(directory, 'x'))).isSymbolicLink());
});

test('the temporary files of a file are removed, and no others', async (t) => {
  const others = ['.x.tmp', '.x.lock.a.tmp', '.xy.a.tmp', 'x.a.tmp', '.x.a.tmp.old', 'x'];
  const directory = await directoryWith(
    t,
    Object.fromEntries([...others, '.x.a.tmp', '.x.lock_B-9.tmp'].map((name) => [name, ''])),
  );
  await removeTemporaryFiles(join(directory, 'x'));
  t.deepEqual((await readdir(directory)).sort(), others.sort());
});

test('the real file is found through links, whether or not it exists', async (t) => {
  const directory = realFile(await directoryWith(t, { real: '' }));
  await mkdir(join(directory, 'below'));
  await symlink(join(directory, 'real'), join(directory, 'link'));
  await symlink('below/missing', join(directory, 'dangling'));
  await symlink(join(directory, 'below'), join(directory, 'folder'));
  t.is(realFile(join(directory, 'link')), join(directory, 'real'));
  t.is(realFile(join(directory, 'dangling')), join(directory, 'below/missing'));
  t.is(realFile(join(directory, 'folder/new')), join(directory, 'below/new'));
  t.is(realFile('/nowhere/new'), '/nowhere/new');
  await writeFile(join(directory, 'below/missing'), '');
  t.is(realFile(join(directory, 'dangling')), join(directory, 'below/missing'));
});
