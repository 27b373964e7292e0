import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { CheckReport } from '../../../src/cli/check.js';
import { aRepo, aUser } from '../../_data.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { run } from '../_cli.js';

/** The report about some paths, decoded by its codec, with paths relative to a directory. */
const reportOf = async (directory: string, ...words: readonly string[]) => {
  const { code, out, err } = await run(['check', '--json', ...words]);
  const report = CheckReport.decode(JSON.parse(out.replaceAll(`${directory}/`, '')));
  return { code, err, report: E.isRight(report) ? report.right : null };
};

test('a report has every file and every problem, with its place', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': { user: aUser('a'), repos: [aRepo('r')] },
    'b.json': '{\n  "user": { "email": 1 }\n}',
    'c.json': '{',
  });
  const { code, err, report } = await reportOf(directory, directory, '/nowhere');
  t.deepEqual([code, err], [1, '']);
  t.false(report?.valid);
  t.deepEqual(report?.files, [
    {
      file: 'a.json',
      email: 'a@test.test',
      repos: 1,
      scans: 0,
      fixDrafts: 0,
      pullRequests: 0,
      sessions: 0,
      apiTokens: 0,
    },
  ]);
  const places = report?.problems.map(({ file, line, column, path }) => [file, line, column, path]);
  t.deepEqual(places, [
    ['/nowhere', null, null, ''],
    ['b.json', 2, 22, '/user/email'],
    ['c.json', 1, 2, ''],
  ]);
  t.deepEqual(
    report?.problems.map(({ message }) => message),
    [
      'no such file or directory',
      'expected e-mail address, got 1',
      'unexpected end of file: missing closing brace',
    ],
  );
});

test('a report without problems is valid, and says the same as the text', async (t) => {
  const { code, report } = await reportOf('', 'fixtures/acme.json');
  t.is(code, 0);
  t.deepEqual([report?.valid, report?.problems, report?.files.length], [true, [], 1]);
  const [acme] = report?.files ?? [];
  const { out } = await run(['check', 'fixtures/acme.json']);
  t.true(
    out.startsWith(`fixtures/acme.json: ${acme?.email}: ${acme?.repos} repos, ${acme?.scans} scans, `),
    out,
  );
});

test('names that could disguise a report are escaped, and stay the same names', async (t) => {
  const directory = await directoryWith(t, { 'x\u001b[2J\u202e.json': 'null' });
  const { out } = await run(['check', '--json', directory]);
  t.false(out.includes('\u001b') || out.includes('\u202e'));
  t.is(JSON.parse(out).problems[0].file, join(directory, 'x\u001b[2J\u202e.json'));
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
