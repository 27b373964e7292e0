import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { block, documentText } from './_documented.js';
import { directoryWith } from './fixtures/_directory.js';

/** docs/tutorial.md, executed. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = documentText('tutorial.md');

test('the file of the tutorial is checked as it says', async (t) => {
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'mine'));
  await writeFile(join(directory, 'mine', 'team.json'), block(page, 'json mine/team.json'));
  const [command = '', ...output] = block(page, 'console check').split('\n');
  const words = command.replace('$ node bin/triage-api.js ', '').split(' ');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/triage-api.js'), ...words],
    { cwd: directory },
  );
  t.is(stdout, output.join('\n'));
});

test('the test of the tutorial passes', async (t) => {
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(root, 'build', 'documents-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'first.test.mjs');
  await writeFile(file, block(page, 'js first.test.mjs'));
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--test',
    '--test-reporter=tap',
    file,
  ]).catch((failed: unknown) => Object(failed));
  t.regex(stdout, /^# pass 1$/m, stdout);
});

test('the tutorial names every entry of the package', async (t) => {
  const manifest = Object(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const entries = Object.keys(manifest.exports).filter((each) => !/\*|package\.json/.test(each));
  t.true(entries.length >= 8);
  for (const entry of entries) t.true(page.includes(`\`${entry.replace('.', 'triage-api')}\``), entry);
});
