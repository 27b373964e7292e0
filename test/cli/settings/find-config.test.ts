import { lchown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { displayPath } from '../../../src/cli/output/text.js';
import { findConfig } from '../../../src/cli/settings/find-config.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { runProcess } from '../_cli.js';

const own = process.getuid?.() ?? 0;

/** Somebody to whom no file of the tests belongs, unless root gives it to them. */
const user = own === 0 ? 4242 : own;
const stranger = own === 0 ? 4243 : own + 1;

/** Gives a file to `user`, which it belongs to already unless root runs the tests. */
const give = (path: string, to = user): Promise<void> =>
  own === 0 ? lchown(path, to, to) : Promise.resolve();

const configName = 'triage-api.config.json';

/** A package with a config file of `user`, and a directory inside of it. */
const packageWith = async (t: ExecutionContext, name = configName) => {
  const directory = await directoryWith(t, { 'package.json': '{}', [name]: '{ "port": 4101 }' });
  const files = { directory, file: join(directory, name), inner: join(directory, 'inner') };
  await mkdir(files.inner);
  await give(files.file);
  return files;
};

/** The file that somebody finds in a directory, or why it is not read. */
const found = (by: number | null, directory: string, option?: string): string => {
  const config = findConfig(
    { getOptionValue: () => option, getOptionValueSource: () => 'cli' },
    {},
    by,
    directory,
  );
  return E.isLeft(config) ? config.left : (config.right?.file ?? 'none');
};

const refusal = (path: string): string =>
  `${displayPath(path)} belongs to another user; name a config file that you trust with --config, or read none with --no-config`;

test('a config file of another user is refused with its name, unless --config names it', async (t) => {
  const { directory, file, inner } = await packageWith(t);
  t.is(found(user, directory), displayPath(file));
  t.is(found(null, directory), displayPath(file));
  t.is(found(stranger, directory), refusal(file));
  t.is(found(stranger, directory, file), displayPath(file));
  t.is(found(user, join(inner, 'nothing')), displayPath(file));
  t.is(found(stranger, inner), refusal(file));
});

test('the config file of the working directory is used, else the one beside the nearest package.json', async (t) => {
  const { directory, file, inner } = await packageWith(t);
  const deeper = join(inner, 'deeper');
  await mkdir(deeper);
  t.is(found(null, deeper), displayPath(file));
  t.is(found(null, directory, ''), '--config: expected text that is not empty, got ""');
  await writeFile(join(inner, 'package.json'), '{}');
  t.is(found(null, deeper), 'none', 'a package within');
  await writeFile(join(deeper, configName), '{}');
  t.is(found(null, deeper), displayPath(join(deeper, configName)));
});

test('a config file that is a link of another user, or to a file of another user, is refused', async (t) => {
  const { directory, file } = await packageWith(t, 'theirs.json');
  const link = join(directory, configName);
  await symlink(file, link);
  t.is(found(stranger, directory), refusal(link));
  await give(link);
  t.is(found(user, directory), displayPath(link));
  await give(file, own);
  t.is(found(stranger, directory), refusal(link));
});

test('the command line trusts config files of root, and refuses those of others', async (t) => {
  // Only root can give a file away.
  if (own !== 0) return void t.pass();
  const { directory, file } = await packageWith(t);
  const { code, err } = await runProcess(['serve', '--print-config'], {}, directory);
  t.deepEqual([code, err], [2, `${refusal(configName)}\n`]);
  await give(file, own);
  t.is(found(stranger, directory), displayPath(file));
});
