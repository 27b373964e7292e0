import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import {
  FixtureFile,
  SparseFinding,
  SparsePullRequest,
  SparseRepo,
  SparseScan,
} from '../src/fixtures/fixture-format.js';
import { block, blocks, documentText } from './_documented.js';
import { directoryWith } from './fixtures/_directory.js';

/** docs/fixtures.md, executed: its files are written, and its commands print what it shows. */
const page = documentText('fixtures.md');
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = ['mine/team.json', 'mine/busy.json'];

test('the commands print what the page shows for its files', async (t) => {
  const directory = await directoryWith(t, {});
  const sessions = blocks(page, 'console').filter((each) => each.includes(' mine'));
  t.is(sessions.length, 3);
  const [[first], others] = [sessions, sessions.slice(1)];
  const shows = async (session = ''): Promise<void> => {
    const [line = '', ...output] = session.split('\n');
    const command = line.replace('$ node ', `'${process.execPath}' '${root}/`).replace('.js ', ".js' ");
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { cwd: directory });
    t.deepEqual([stdout, stderr], [output.join('\n'), ''], line);
  };
  for (const file of files) {
    await mkdir(join(directory, dirname(file)), { recursive: true });
    await writeFile(join(directory, file), block(page, `json ${file}`));
    if (file === files[0]) await shows(first);
  }
  for (const session of others) await shows(session);
});

const rows = [SparseRepo, SparseScan, SparseFinding, SparsePullRequest];

test('the page has every key of a file, and the default of every field', (t) => {
  for (const key of Object.keys(FixtureFile.props)) t.true(page.includes(`\`${key}\``), key);
  const defaults = page.slice(page.indexOf('## What is completed'), page.indexOf('## Extending'));
  const links = ['repoId', 'draftId', 'pullRequest', 'findings'];
  for (const { props, name } of rows)
    for (const field of Object.keys(props))
      t.true(links.includes(field) || defaults.includes(`\`${field}\``), `${name}: ${field}`);
});
