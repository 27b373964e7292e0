import { execFile } from 'node:child_process';
import promises, { link, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { makePrivateFolder, removeFile, replaceFile } from '../../src/common/replace-file.js';
import { directoryWith } from '../fixtures/_directory.js';

test('a file is replaced, not overwritten, and only its user may read it', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const file = join(directory, 'x');
  await link(file, join(directory, 'other-name'));
  await replaceFile(file, 'new');
  t.is(await readFile(file, 'utf8'), 'new');
  t.is(await readFile(join(directory, 'other-name'), 'utf8'), 'old');
  t.is((await stat(file)).mode & 0o777, 0o600);
  t.deepEqual(await readdir(directory), ['other-name', 'x']);
});

test('a failed rename leaves the old file and no temporary one', async (t) => {
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'x'));
  await t.throwsAsync(replaceFile(join(directory, 'x'), 'new'), { code: 'EISDIR' });
  t.deepEqual(await readdir(directory), ['x']);
});

test('the target of a link is replaced, and the link stays', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  await symlink('x', join(directory, 'link'));
  await replaceFile(join(directory, 'link'), 'new');
  t.is(await readFile(join(directory, 'x'), 'utf8'), 'new');
  t.deepEqual(await readdir(directory), ['link', 'x']);
});

test.serial('a file is synchronized before it is renamed, and its folder afterwards', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const steps: string[] = [];
  const { rename } = promises;
  const handle = await open(directory);
  const prototype = Object.getPrototypeOf(handle);
  const { sync } = prototype;
  await handle.close();
  t.teardown(() => {
    prototype.sync = sync;
    promises.rename = rename;
    syncBuiltinESMExports();
  });
  prototype.sync = async function (this: promises.FileHandle) {
    const found = await this.stat();
    steps.push(found.isDirectory() ? 'folder' : `file of ${found.size} bytes`);
    return sync.call(this);
  };
  promises.rename = async (from, to) => {
    steps.push('rename');
    return rename(from, to);
  };
  syncBuiltinESMExports();
  await replaceFile(join(directory, 'x'), 'content');
  t.deepEqual(steps, ['file of 7 bytes', 'rename', 'folder']);
  steps.length = 0;
  await removeFile(join(directory, 'x'));
  t.deepEqual([steps, await readdir(directory)], [['folder'], []]);
});

// A disk that is nearly full takes a part of what is written, and so does a limit on the size of files.
test('a file of which only a part can be written keeps its old content', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const module = new URL('../../src/common/replace-file.js', import.meta.url).href;
  const program = `
    process.on('SIGXFSZ', () => {});
    const { replaceFile } = await import(${JSON.stringify(module)});
    await replaceFile('x', 'new'.repeat(1e6)).then(() => console.log('replaced'), ({ code }) => console.log(code));`;
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', 'ulimit -f 64; exec "$0" --input-type=module --eval "$1"', process.execPath, program],
    { cwd: directory },
  );
  t.is(stdout, 'EFBIG\n');
  t.is(await readFile(join(directory, 'x'), 'utf8'), 'old');
  t.deepEqual(await readdir(directory), ['x']);
});

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });

test('a file that is busy, as on Windows, is tried again; another failure is not', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const file = join(directory, 'x');
  const failing = (...errors: readonly Error[]) => {
    const attempts: string[] = [];
    const write = async (path: string, text: string): Promise<void> => {
      const error = errors[attempts.length];
      attempts.push(path);
      if (error !== undefined) throw error;
      await writeFile(path, text);
    };
    return { attempts, write };
  };
  const busy = failing(systemError('EPERM', 'rename'), systemError('EBUSY', 'open'));
  await replaceFile(file, 'new', busy.write);
  t.is(busy.attempts.length, 3);
  t.is(await readFile(file, 'utf8'), 'new');

  const refused = failing(systemError('EACCES', 'open'));
  await t.throwsAsync(replaceFile(file, 'newer', refused.write), { code: 'EACCES' });
  t.is(refused.attempts.length, 1);
  t.is(await readFile(file, 'utf8'), 'new');
});

test('a private folder is made with those above it; one that exists is made private if it is empty', async (t) => {
  const directory = await directoryWith(t, {});
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;
  await makePrivateFolder(join(directory, 'a/b'));
  t.is(await modeOf(join(directory, 'a/b')), 0o700);
  await mkdir(join(directory, 'empty'), { mode: 0o755 });
  await makePrivateFolder(join(directory, 'empty'));
  t.is(await modeOf(join(directory, 'empty')), 0o700);
  const used = await directoryWith(t, { x: '' });
  const before = await modeOf(used);
  await makePrivateFolder(used);
  t.is(await modeOf(used), before);
});
