import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { run } from '../_package.js';
import { directoryWith } from '../storage/memory/_directory.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

test('npm version commits the version of the image with that of the package, and tags both', async (t) => {
  const { scripts } = JSON.parse(await read('package.json'));
  const script = 'scripts/set-image-version.js';
  const folder = await directoryWith(t, {
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', scripts }),
    Dockerfile: await read('Dockerfile'),
  });
  await mkdir(join(folder, 'scripts'));
  await copyFile(join(root, script), join(folder, script));
  const git = async (...words: readonly string[]) => (await run('git', words, folder)).stdout;
  await git('init');
  await git('config', 'user.name', 'A');
  await git('config', 'user.email', 'a@b.test');
  await git('add', '.');
  await git('commit', '--message', 'A');
  await run('npm', ['version', '1.2.3', '--no-sign-git-tag'], folder);
  t.regex(await git('show', 'v1.2.3:Dockerfile'), /^ARG VERSION=1\.2\.3$/m);
  t.is(JSON.parse(await git('show', 'v1.2.3:package.json')).version, '1.2.3');
  t.is(await git('status', '--porcelain'), '');
});
