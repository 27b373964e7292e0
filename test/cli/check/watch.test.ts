import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { aUser } from '../../_data.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { startSignalled } from '../_cli.js';

const valid = (name: string): string => JSON.stringify({ user: aUser(name) });

test('files are checked again whenever one changes, until a signal', async (t) => {
  const directory = await directoryWith(t, { 'a.json': { user: aUser('a') } });
  const { out, err, until, end } = startSignalled(['check', '--watch', directory]);
  const waiting = (times: number) => until(() => err().split('waiting for changes').length > times);
  await waiting(1);
  t.regex(out(), /^1 tenant, no problems$/m);
  await writeFile(join(directory, 'b.json'), '{');
  await until(() => err().includes(`${directory}/b.json:1:2: unexpected end of file`));
  await writeFile(join(directory, 'b.json'), valid('b'));
  await until(() => out().includes('2 tenants, no problems'));
  t.is((await end()).code, 0);
});

test('files in several directories, and directories that appear later, are watched', async (t) => {
  const [one, two] = [await directoryWith(t, { 'a.json': { user: aUser('a') } }), await directoryWith(t, {})];
  const later = join(two, 'later');
  const { out, err, until, end } = startSignalled(['check', '--watch', join(one, 'a.json'), later]);
  await until(() => err().includes('waiting for changes'));
  t.true(err().includes(`${later}: no such file or directory`));
  await mkdir(later);
  await writeFile(join(later, 'b.json'), valid('b'));
  await until(() => out().includes('2 tenants, no problems'));
  await writeFile(join(one, 'a.json'), '[]');
  await until(() => err().includes(`${one}/a.json:1:1: `));
  t.is((await end()).code, 0);
});
