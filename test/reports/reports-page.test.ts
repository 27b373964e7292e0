import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { allFormats } from '../../src/reports/all-formats.js';
import { leftOutReasons } from '../../src/reports/left-out-reasons.js';
import { noFixedVersion } from '../../src/reports/version-ranges.js';
import { block, documentText } from '../_documented.js';
import { run } from '../cli/_cli.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

const page = documentText('reports.md');

test('the page shows what the import of its reports prints, and the file is valid', async (t) => {
  const directory = await directoryWith(t, {});
  for (const name of ['audit.json', 'alerts.json'])
    await writeFile(join(directory, name), block(page, `json ${name}`));
  await mkdir(join(directory, 'mine'));
  const [command = '', ...output] = block(page, 'console').split('\n');
  const program = fileURLToPath(new URL('../../../bin/triage-api.js', import.meta.url));
  const words = command.replace('$ node bin/triage-api.js ', '').split(' ');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...words], {
    cwd: directory,
  });
  t.is(`${stderr}${stdout}`, output.join('\n'));
  const checked = await run(['check', join(directory, 'mine')]);
  t.is(checked.code, 0, checked.err);
});

test('the page names every format and every reason', (t) => {
  for (const { name } of allFormats) t.true(page.includes(`- \`${name}\``), name);
  for (const [reason, text] of Object.entries(leftOutReasons))
    t.true(page.includes(`| \`${reason}\` | ${text} |`), reason);
  t.true(page.includes(`\`${noFixedVersion}\``));
});
