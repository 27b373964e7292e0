import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { programRunner } from '../../src/cli/mutate/run-program.js';
import { block, documentText } from '../_documented.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('mutate says of the example what the page on states shows', async (t) => {
  // Where the name of this package leads to what it exports.
  const folder = await mkdtemp(join(root, 'build', 'lies-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, 'examples/lies'), folder, { recursive: true });
  const [command = '', ...documented] = block(documentText('states.md'), 'console mutate')
    .trimEnd()
    .split('\n');
  const [, words = ''] = /^\$ npx triage-api (.*)$/.exec(command) ?? [];
  const program = [process.execPath, join(root, 'bin/triage-api.js'), ...words.split(' ')];
  const { tail } = await programRunner(['sh', '-c', 'cd "$0" && exec "$@"', folder, ...program]).run({});
  const timeless = (text: string): string => text.replace(/ in \d+ s$/, '');
  t.deepEqual(tail.trimEnd().split('\n').map(timeless), documented.map(timeless));
});
