import test from 'ava';
import * as program from '../../../src/cli/program.js';
import { aRepo, aUser } from '../../_data.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { listen, run } from '../_cli.js';
import { aTerminal } from '../terminal/_terminal.js';

test('without a directory, the shipped fixtures are checked, and each tenant is summarized', async (t) => {
  const { code, out, err } = await run(['check']);
  t.deepEqual([code, err], [0, '']);
  t.regex(
    out,
    /acme\.json: dana@acme\.test: \d+ repos, \d+ scans, \d+ fix drafts, \d+ pull requests, \d+ sessions, \d+ API tokens\n/,
  );
  t.regex(out, /empty\.json: new@empty\.test: 0 repos, .*, 1 session, 1 API token\n/);
  t.regex(out, /\n5 tenants, no problems\n$/);
});

test('the directory comes from the argument, else from the environment', async (t) => {
  const directory = await directoryWith(t, { 'one.json': { user: aUser('one'), repos: [aRepo('r')] } });
  const expected = `${directory}/one.json: one@test.test: 1 repo, 0 scans, 0 fix drafts, 0 pull requests, 0 sessions, 0 API tokens\n1 tenant, no problems\n`;
  t.deepEqual(await run(['check', directory]), { code: 0, out: expected, err: '' });
  t.deepEqual(await run(['check'], { TRIAGE_FIXTURES: directory }), { code: 0, out: expected, err: '' });
  t.deepEqual(await run(['check', directory], { TRIAGE_FIXTURES: '/nowhere' }), {
    code: 0,
    out: expected,
    err: '',
  });
});

test('a terminal shows which file is being checked, and problems as they are found', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': '{',
    'b.json': { user: aUser('b') },
    'c.json': { user: aUser('c') },
  });
  const { fake } = aTerminal(true);
  const shown: string[] = [];
  const show = (line: string): void => {
    shown.push(line.replaceAll(`${directory}/`, ''));
  };
  const terminal = { ...fake, out: show, err: show, progress: (line: string) => show(`(${line})`) };
  t.is(await program.run(['check', directory], {}, terminal, '0.0.0'), 1);
  t.deepEqual(shown, [
    '(checking a.json, file 1 of 3)',
    '()',
    'a.json:1:2: unexpected end of file: missing closing brace',
    '(checking b.json, file 2 of 3)',
    '(checking c.json, file 3 of 3)',
    '()',
    'refused: 1 problem',
  ]);
});

test('a line break in a file name is escaped', async (t) => {
  const directory = await directoryWith(t, { 'a\nb.json': { user: aUser('one') } });
  const { code, out } = await run(['check', directory]);
  t.is(code, 0);
  t.true(out.startsWith(`${directory}/a\\u000ab.json: one@test.test: `), out);
});

for (const command of ['check', 'serve']) {
  test(`${command} refuses invalid fixtures, prints all their problems and exits with 1`, async (t) => {
    const directory = await directoryWith(t, {
      'a.json': 'null',
      'b.json': { user: aUser('b') },
      'c.json': '{]',
    });
    const words =
      command === 'check' ? ['check', directory] : ['serve', '--port', '0', '--fixtures', directory];
    t.deepEqual(await run(words), {
      code: 1,
      out: '',
      err: [
        `${directory}/a.json:1:1: expected fixture file, got null`,
        `${directory}/c.json:1:2: unexpected ]`,
        'refused: 2 problems\n',
      ].join('\n'),
    });
  });

  test(`${command} refuses a directory that does not exist`, async (t) => {
    const words =
      command === 'check' ? ['check', '/nowhere'] : ['serve', '--port', '0', '--fixtures', '/nowhere'];
    t.deepEqual(await run(words), {
      code: 1,
      out: '',
      err: '/nowhere: no such file or directory\nrefused: 1 problem\n',
    });
  });
}

test('above 100,000 rows in all files, check and serve suggest a database', async (t) => {
  const repos = (count: number) => Array.from({ length: count }, (_, i) => aRepo(`r${i}`));
  const directory = await directoryWith(t, {
    'a.json': JSON.stringify({ user: aUser('a'), repos: repos(60_000) }),
    'b.json': JSON.stringify({ user: aUser('b'), repos: repos(40_001) }),
  });
  const suggestion =
    'these fixtures have 100,001 rows; above 100,000, a database (triage-api db import) starts sooner and takes less memory';
  const { code, err } = await run(['check', directory]);
  t.deepEqual([code, err], [0, `${suggestion}\n`]);
  t.deepEqual((await run(['check', `${directory}/a.json`])).err, '');
  const { err: written, end } = await listen(t, ['--fixtures', directory]);
  await end('SIGTERM');
  t.true(written().includes(`"event":"${suggestion}"`), written());
});
