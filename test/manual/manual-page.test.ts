import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { commands } from '../../src/cli/program.js';
import { root } from '../inventory/_shipped-packages.js';
import { manualPage } from './_manual-page.js';

const file = join(root, 'man/triage-api.1');

test('the manual page is current, and is part of the package', async (t) => {
  t.is(await readFile(file, 'utf8'), await manualPage(), 'run `npm run derive`');
  const { man, files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  t.is(man, './man/triage-api.1');
  t.true(files.includes('man'));
});

test('the manual page has every command and option, and no path of this machine', async (t) => {
  const page = await manualPage();
  t.false(page.includes(root));
  t.true(page.includes('triage\\-api.config.json'));
  for (const load of Object.values(commands)) {
    const { name, options } = await load();
    t.true(page.includes(`.SS "triage\\-api ${name.replaceAll('-', '\\-')}`), name);
    for (const { flags } of Object.values(options)) {
      const [long = ''] = /--[\w-]+/.exec(flags) ?? [];
      t.true(page.includes(`\\fB${long.replaceAll('-', '\\-')}\\fR`), `${name} ${long}`);
    }
  }
});
