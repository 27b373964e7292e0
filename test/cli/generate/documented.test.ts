import { exec } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { blocks, documentText } from '../../_documented.js';

test('what the page on fixtures shows of generate and init is what happens', async (t) => {
  const page = documentText('fixtures.md');
  // Below the package, as its clone is for those who follow the page.
  const directory = join('build', `documents-generate-${process.pid}`);
  await mkdir(directory);
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const shown = blocks(page, 'console').filter((each) => / (?:generate|init) /.test(each));
  t.is(shown.length, 2);
  for (const each of shown) {
    const [command = '', ...output] = each.split('\n');
    const words = command.replace(/^\$ node bin/, 'node ../../bin');
    const { stdout, stderr } = await promisify(exec)(words, { cwd: directory });
    t.deepEqual([stdout.replaceAll('../../bin', 'bin'), stderr], [output.join('\n'), ''], command);
  }
});
