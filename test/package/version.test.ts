import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { run } from '../_package.js';
import { directoryWith } from '../fixtures/_directory.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

test('npm version writes the version everywhere, names the notes, and ends the time before the first release', async (t) => {
  const { scripts } = JSON.parse(await read('package.json'));
  const script = 'scripts/set-version.js';
  const changed = ['CHANGELOG.md', 'Dockerfile', 'README.md'];
  const texts = await Promise.all(changed.map(read));
  const folder = await directoryWith(t, {
    'package.json': JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', scripts }),
    ...Object.fromEntries(changed.map((name, index) => [name, texts[index] ?? ''])),
  });
  await mkdir(join(folder, 'scripts'));
  await copyFile(join(root, script), join(folder, script));
  const git = async (...words: readonly string[]) => (await run('git', words, folder)).stdout;
  await git('init');
  await git('config', 'user.name', 'A');
  await git('config', 'user.email', 'a@b.test');
  await git('add', '.');
  await git('commit', '--message', 'A');
  const untilReleased = /^<!-- until the first release -->\n.*npm pack.*\n\n/m;

  await run('npm', ['version', '1.2.3-beta.1', '--no-sign-git-tag'], folder);
  t.is(await git('diff', '--name-only', 'HEAD~1'), 'Dockerfile\npackage.json\n');
  t.regex(await git('show', 'v1.2.3-beta.1:Dockerfile'), /^ARG VERSION=1\.2\.3-beta\.1$/m);
  t.regex(await git('show', 'v1.2.3-beta.1:README.md'), untilReleased);

  for (const version of ['1.2.3', '1.2.4']) {
    await run('npm', ['version', version, '--no-sign-git-tag'], folder);
    const committed = (name: string) => git('show', `v${version}:${name}`);
    t.true((await committed('Dockerfile')).includes(`\nARG VERSION=${version}\n`));
    t.is(JSON.parse(await committed('package.json')).version, version);
    t.regex(
      await committed('CHANGELOG.md'),
      new RegExp(`^## \\[Unreleased\\]\n\n## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d\n\n`, 'm'),
    );
    t.is(await committed('README.md'), (await read('README.md')).replace(untilReleased, ''));
    t.is(await git('status', '--porcelain'), '');
  }
});
