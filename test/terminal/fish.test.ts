import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { programs } from './_programs.js';
import { completionScript, linesOf, table } from './_shells.js';

for (const { typed, all, some = [] } of table) {
  test(`fish completes ${JSON.stringify(typed)}`, async (t) => {
    const directory = await directoryWith(t, { 'team.json': {}, 'team 1.json': {} });
    await mkdir(join(directory, 'directory'));
    const code = `${await completionScript('fish')}\ncomplete -C '${typed}'`;
    const lines = await linesOf(programs.fish, ['--no-config'], code, directory);
    // Each is followed by its description.
    const words = lines.map((line) => line.split('\t')[0] ?? '');
    if (all !== undefined) t.deepEqual(words, all);
    for (const word of some) t.true(words.includes(word), word);
  });
}

test('fish shows what an option does', async (t) => {
  const directory = await directoryWith(t, {});
  const code = `${await completionScript('fish')}\ncomplete -C 'triage-api check --js'`;
  t.deepEqual(await linesOf(programs.fish, ['--no-config'], code, directory), [
    '--json\tprint a report as JSON to standard output, problems included',
  ]);
});
