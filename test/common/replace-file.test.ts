import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { link, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import writeFileAtomic from 'write-file-atomic';
import { makePrivateFolder, removeFile, replaceFile, type WriteFile } from '../../src/common/replace-file.js';
import { directoryWith } from '../storage/memory/_directory.js';

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

test('what fails before the file is renamed leaves the old content and no temporary file', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const file = join(directory, 'x');
  const contents: string[] = [];
  const interrupted: WriteFile = (path, text, { mode, tmpfileCreated }) =>
    writeFileAtomic(path, text, {
      mode,
      tmpfileCreated: async (temporary) => {
        await tmpfileCreated(temporary);
        contents.push(await readFile(temporary, 'utf8'));
        throw new Error('not now');
      },
    });
  await t.throwsAsync(replaceFile(file, 'new', interrupted), { message: 'not now' });
  t.deepEqual(contents, ['new']);
  t.is(await readFile(file, 'utf8'), 'old');
  t.deepEqual(await readdir(directory), ['x']);
});

test.serial('a file is synchronized before it is renamed, and its folder afterwards', async (t) => {
  const directory = await directoryWith(t, { x: 'old' });
  const steps: string[] = [];
  const { fsync, rename } = fs;
  const handle = await open(directory);
  const prototype = Object.getPrototypeOf(handle);
  const { sync } = prototype;
  await handle.close();
  t.teardown(() => {
    Object.assign(fs, { fsync, rename });
    prototype.sync = sync;
  });
  Object.assign(fs, {
    fsync: (descriptor: number, done: fs.NoParamCallback) => {
      steps.push(`file of ${fs.fstatSync(descriptor).size} bytes`);
      fsync(descriptor, done);
    },
    rename: (from: string, to: string, done: fs.NoParamCallback) => {
      steps.push('rename');
      rename(from, to, done);
    },
  });
  prototype.sync = async function (this: fs.promises.FileHandle) {
    steps.push((await this.stat()).isDirectory() ? 'folder' : 'another file');
    return sync.call(this);
  };
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
    const write: WriteFile = async (path, text, options) => {
      const error = errors[attempts.length];
      attempts.push(path);
      if (error !== undefined) throw error;
      await writeFileAtomic(path, text, options);
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
