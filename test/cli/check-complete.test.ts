import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { aRepo, aUser } from '../_data.js';
import { directoryWith } from '../fixtures/_directory.js';
import { run } from './_cli.js';

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
