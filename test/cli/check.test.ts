import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as program from '../../src/cli/program.js';
import { shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { aRepo, aUser } from '../_data.js';
import { directoryWith } from '../fixtures/_directory.js';
import { listen, run, start } from './_cli.js';
import { aTerminal } from './terminal/_terminal.js';

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

test('a file that is too large is refused before it is read, and one with too many rows', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'x.json');
  await writeFile(file, '');
  await truncate(file, 300 * 1024 ** 2);
  const refused = (message: string) => ({
    code: 1,
    out: '',
    err: `${file}:1:1: ${message}\nrefused: 1 problem\n`,
  });
  t.deepEqual(
    await run(['check', file]),
    refused('the file is larger than 268435456 bytes; a tenant of that size needs a database'),
  );
  await writeFile(file, `{"findings":[${'{},'.repeat(500_000)}{}]}`);
  t.deepEqual(
    await run(['check', file]),
    refused('500001 rows are more than 500000; a tenant of that size needs a database'),
  );
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
    '> 1 | {',
    '    |  ^',
    '(checking b.json, file 2 of 3)',
    '(checking c.json, file 3 of 3)',
    '()',
    'refused: 1 problem',
  ]);
});

for (const words of [['check'], ['serve', '--port', '0', '--fixtures']]) {
  test(`${words[0]} refuses invalid fixtures, prints all their problems and exits with 1`, async (t) => {
    const directory = await directoryWith(t, {
      'a.json': 'null',
      'b.json': { user: aUser('b') },
      'c.json': '{]',
    });
    for (const [path, ...problems] of [
      [
        directory,
        `${directory}/a.json:1:1: expected fixture file, got null`,
        `${directory}/c.json:1:2: unexpected ]`,
      ],
      ['/nowhere', '/nowhere: no such file or directory'],
    ] as const) {
      const refused = `refused: ${problems.length} problem${problems.length === 1 ? '' : 's'}\n`;
      const err = [...problems, refused].join('\n');
      t.deepEqual(await run([...words, path]), { code: 1, out: '', err });
    }
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

type Problem = Readonly<{
  file: string;
  line: number | null;
  column: number | null;
  path: string;
  message: string;
}>;

type Report = Readonly<{
  valid: boolean;
  files: readonly object[];
  problems: readonly Problem[];
  warnings: readonly Problem[];
}>;

/** The report about some paths, with paths relative to a directory. */
const reportOf = async (directory: string, ...words: readonly string[]) => {
  const { code, out, err } = await run(['check', '--json', ...words]);
  const report: Report = JSON.parse(out.replaceAll(`${directory}/`, ''));
  return { code, err, report };
};

test('a report has every file and every problem, with its place', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': { user: aUser('a'), repos: [aRepo('r')] },
    'b.json': '{\n  "user": { "email": 1 }\n}',
    'c.json': '{',
  });
  const { code, err, report } = await reportOf(directory, directory, '/nowhere');
  t.deepEqual([code, err], [1, '']);
  t.false(report.valid);
  const none = { scans: 0, fixDrafts: 0, pullRequests: 0, sessions: 0, apiTokens: 0 };
  t.deepEqual(report.files, [{ file: 'a.json', email: 'a@test.test', repos: 1, ...none }]);
  t.deepEqual(
    report.problems.map(({ file, line, column, path, message }) => [file, line, column, path, message]),
    [
      ['/nowhere', null, null, '', 'no such file or directory'],
      ['b.json', 2, 22, '/user/email', 'expected e-mail address, got 1'],
      ['c.json', 1, 2, '', 'unexpected end of file: missing closing brace'],
    ],
  );
});

test('scores that are no fractions are warnings', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': '{ "findings": [{ "reachability": 91 },\n { "reachability": 1, "exploitSignal": -0.5 }] }',
  });
  const file = join(directory, 'a.json');
  const { code, out, err } = await run(['check', file]);
  t.is(code, 0);
  t.is(
    err,
    `warning: ${file}:1:34 /findings/0/reachability: 91 is no fraction between 0 and 1; did you mean 0.91?\n` +
      `warning: ${file}:2:40 /findings/1/exploitSignal: -0.5 is no fraction between 0 and 1\n`,
  );
  t.regex(out, /^1 tenant, no problems, 2 warnings$/m);
  const { report } = await reportOf(directory, file);
  t.true(report.valid);
  t.deepEqual(
    report.warnings.map(({ line, path }) => [line, path]),
    [
      [1, '/findings/0/reachability'],
      [2, '/findings/1/exploitSignal'],
    ],
  );
});

test('an update before the discovery is a warning, and so are rows that go with a removed one', async (t) => {
  const directory = await directoryWith(t, {
    '_base.json': {
      findings: [
        { id: 'f', repo: 'a/b', discoveredAt: '-3d' },
        { id: 'g', repo: 'a/c', pullRequest: {} },
      ],
    },
    'a.json': `{ "extends": "./_base.json", "remove": ["g"],
      "repos": [{ "repo": "a/d", "findings": [{ "discoveredAt": "-1d", "updatedAt": "-2d" }] }],
      "findings": [{ "id": "f", "updatedAt": "-4d" }, { "discoveredAt": "-2d", "updatedAt": "-1d" }] }`,
  });
  const { code, err } = await run(['check', directory]);
  t.deepEqual(
    [code, err.replaceAll(`${directory}/`, '').split('\n')],
    [
      0,
      [
        'warning: a.json:1:41 /remove/0: leaves out a row that belongs to "g", too',
        'warning: a.json:3:46 /findings/0/updatedAt: is before discoveredAt, 2026-11-17T12:00:00.000Z',
        'warning: a.json:2:85 /repos/0/findings/0/updatedAt: is before discoveredAt, 2026-11-19T12:00:00.000Z',
        '',
      ],
    ],
  );
});

test('completed files of the same name are not written over each other', async (t) => {
  const directory = await directoryWith(t, {});
  for (const name of ['one', 'two']) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, 'team.json'), JSON.stringify({ user: aUser(name) }));
  }
  const paths = [join(directory, 'one'), join(directory, 'two')];
  const { code, err } = await run(['check', ...paths, '--complete', '--out', join(directory, 'out')]);
  t.deepEqual([code, err], [1, 'several files are called team.json; write them to different directories\n']);
});

const valid = (name: string): string => JSON.stringify({ user: aUser(name) });

test('files in several directories, also in those that appear later, are checked again at each change, until a signal', async (t) => {
  const [one, two] = [await directoryWith(t, { 'a.json': { user: aUser('a') } }), await directoryWith(t, {})];
  const later = join(two, 'later');
  const { out, err, until, end } = start(['check', '--watch', join(one, 'a.json'), later]);
  await until(() => err().includes('waiting for changes'));
  t.true(err().includes(`${later}: no such file or directory`));
  await mkdir(later);
  await writeFile(join(later, 'b.json'), valid('b'));
  await until(() => out().includes('2 tenants, no problems'));
  await writeFile(join(one, 'a.json'), '[]');
  await until(() => err().includes(`${one}/a.json:1:1: `));
  t.is((await end()).code, 0);
});

const sparse = { findings: [{ repo: 'acme/web', package: 'lodash', severity: 'high' }] };

test('--complete prints a file in the form of the shipped ones, which passes the same checks', async (t) => {
  const directory = await directoryWith(t, { 'team.json': sparse });
  const printed = await run(['check', '--complete', join(directory, 'team.json')]);
  t.deepEqual([printed.code, printed.err], [0, '']);
  t.regex(
    printed.out,
    /^ {2}"fixDrafts": \[\n {4}\{"id": "fix_[0-9a-f]{16}", "repoId": "repo_[0-9a-f]{16}", "advisoryId": "GHSA-35jh-r3h4-6jhm", "package": "lodash", .*\}\n {2}\],$/m,
  );
  const copy = await directoryWith(t, { 'team.json': printed.out });
  const checked = async (path: string): Promise<string> =>
    (await run(['check', path])).out.replace(`${path}/`, '');
  t.is(await checked(copy), await checked(directory));
  t.deepEqual(await run(['check', '--complete', copy]), printed, 'the only file of a directory');
});

test('--complete prints a complete file as it is', async (t) => {
  for (const name of await readdir(shippedFixtures)) {
    if (!name.endsWith('.json')) continue;
    const file = join(shippedFixtures, name);
    const { code, out } = await run(['check', '--complete', file]);
    t.is(code, 0);
    t.like(JSON.parse(out), JSON.parse(await readFile(file, 'utf8')), name);
    const complete = join(await directoryWith(t, { [name]: out }), name);
    t.is((await run(['check', '--complete', complete])).out, out, name);
  }
});

test('--out writes the completed files of a directory', async (t) => {
  const directory = await directoryWith(t, {
    '_base.json': sparse,
    'a.json': { extends: './_base.json', findings: [{ repo: 'acme/api', package: 'ws' }] },
    'b.json': { user: aUser('b'), repos: [aRepo('r')] },
  });
  const out = join(directory, 'completed', 'all');
  const written = await run(['check', '--complete', directory, '--out', out]);
  t.deepEqual([written.code, written.err], [0, '']);
  t.true(written.out.endsWith(`wrote 2 files to ${out}\n`), written.out);
  t.deepEqual((await readdir(out)).sort(), ['a.json', 'b.json']);
  const completed = JSON.parse(await readFile(join(out, 'a.json'), 'utf8'));
  t.deepEqual([completed.fixDrafts.length, completed.extends], [2, undefined]);
  t.deepEqual(
    JSON.parse(await readFile(join(out, 'b.json'), 'utf8')),
    JSON.parse(await readFile(join(directory, 'b.json'), 'utf8')),
  );
});

test('check --complete writes and prints nothing if any file has a problem', async (t) => {
  const directory = await directoryWith(t, { 'a.json': sparse, 'b.json': '{"findings": [{"repos": 1}]}' });
  const out = join(directory, 'out');
  for (const words of [
    ['check', '--complete', directory],
    ['check', '--complete', directory, '--out', out],
  ]) {
    const { code, out: printed, err } = await run(words);
    t.deepEqual([code, printed], [1, '']);
    t.is(
      err,
      `${directory}/b.json:1:25 /findings/0/repos: unknown key; did you mean "repo"?\nrefused: 1 problem\n`,
    );
  }
  t.deepEqual((await readdir(directory)).sort(), ['a.json', 'b.json']);
});

test('check --complete of several files needs --out', async (t) => {
  const directory = await directoryWith(t, { 'a.json': sparse, 'b.json': sparse });
  t.deepEqual(await run(['check', '--complete', directory]), {
    code: 2,
    out: '',
    err: `${directory} has 2 tenants; name one file, or a directory with --out\n`,
  });
});
