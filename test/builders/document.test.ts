import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { documentText } from '../_documented.js';

const build = fileURLToPath(new URL('../../', import.meta.url));

test('the tests that the page on builders shows pass', async (t) => {
  const page = documentText('builders.md');
  const shown = Array.from(page.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm));
  // Inside of the package, its own name leads to what it exports.
  const directory = await mkdtemp(join(build, 'documents-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const [, name = '', block = ''] of shown) await writeFile(join(directory, name), block);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--test', '--test-reporter=tap', ...shown.map(([, name = '']) => join(directory, name))],
    { timeout: 600_000 },
  ).catch((failed: unknown) => Object(failed));
  t.regex(stdout, /^# pass 7$/m, stdout);
  t.regex(stdout, /^# fail 0$/m, stdout);
});
