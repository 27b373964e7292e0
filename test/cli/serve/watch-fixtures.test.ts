import { type FSWatcher, watch } from 'node:fs';
import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { watchFiles } from '../../../src/cli/serve/watch-fixtures.js';
import { aRepo, aSession, aUser } from '../../_data.js';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen } from '../_cli.js';

/** Watches a folder in a directory of its own; `changed` resolves when something has changed since. */
const watching = async (t: ExecutionContext, path = 'fixtures') => {
  const parent = await directoryWith(t, {});
  const directory = join(parent, path);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'x.json'), '1');
  let calls = 0;
  let notify = (): void => {};
  const onChange = (): void => {
    calls += 1;
    notify();
  };
  const { renew, close } = watchFiles(directory, onChange, (error) => t.fail(String(error)));
  t.teardown(close);
  const changed = async (): Promise<void> => {
    if (calls === 0)
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    renew();
    calls = 0;
  };
  renew();
  return { parent, directory, changed, calls: () => calls };
};

/** Resolves when the system has reported a change of a file. */
const reported = (directory: string, file: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher: FSWatcher = watch(directory, (_, name) => {
      if (name !== file) return;
      watcher.close();
      setImmediate(resolve);
    });
  });

test('every way to change a JSON file is noticed by the watcher', async (t) => {
  const { directory, changed } = await watching(t);
  const file = join(directory, 'x.json');
  await appendFile(file, ' ');
  await changed();
  await writeFile(join(directory, 'new.json'), '2');
  await changed();
  await rename(join(directory, 'new.json'), file);
  await changed();
  await rm(file);
  await changed();
  t.pass();
});

test('a directory that is deleted with the folders above it is noticed when all are created again', async (t) => {
  const { parent, changed, directory } = await watching(t, 'dist/app/fixtures');
  await rm(join(parent, 'dist'), { recursive: true });
  await changed();
  await mkdir(join(parent, 'dist'));
  await changed();
  await mkdir(directory, { recursive: true });
  await changed();
  await writeFile(join(directory, 'y.json'), '2');
  await changed();
  t.pass();
});

test('a file behind a symbolic link is watched where it is', async (t) => {
  const { parent, directory, changed } = await watching(t);
  const target = join(parent, 'target');
  await writeFile(target, '1');
  await symlink(target, join(directory, 'link.json'));
  await changed();
  await appendFile(target, ' ');
  await changed();
  await writeFile(`${target}.new`, '2');
  await rename(`${target}.new`, target);
  await changed();
  await appendFile(target, ' ');
  await changed();
  t.pass();
});

test('changes of other files, such as a log in the parent directory, reload nothing', async (t) => {
  const { parent, directory, calls } = await watching(t);
  for (const [folder, name] of [
    [parent, 'access.log'],
    [directory, 'x.json.swp'],
  ] as const) {
    const seen = reported(folder, name);
    await writeFile(join(folder, name), 'a line\n');
    await seen;
  }
  t.is(calls(), 0);
});

const fixture = (owner: string) => ({
  user: aUser('x'),
  sessions: [aSession('x', { expiresAt: '2999-01-01T00:00:00.000Z' })],
  repos: [aRepo('r', { owner })],
});

/** Replaces a file in one step, as careful editors do. */
const put = async (file: string, content: unknown): Promise<void> => {
  await writeFile(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content));
  await rename(`${file}.new`, file);
};

/** The owner of the first repository that a server lists. */
const ownerAt = async (url: string): Promise<unknown> =>
  Object(await (await fetch(`${url}/api/v1/repos`, cookie('x'))).json())[0]?.owner;

/** What `/readyz` of a server that is ready mentions. */
const noticeAt = async (url: string): Promise<unknown> =>
  Object(await (await fetch(`${url}/readyz`)).json()).notice;

test('changed fixtures are reloaded; invalid ones are logged, /readyz mentions them, and the previous ones stay', async (t) => {
  const directory = await directoryWith(t, { 'x.json': fixture('before') });
  const file = join(directory, 'x.json');
  const { url, shows, until } = await listen(t, ['--fixtures', directory]);
  const owner = (): Promise<unknown> => ownerAt(url);
  t.is(await owner(), 'before');

  await put(file, '{"user": null}');
  await shows('x.json:1:10 /user: expected user, got null');
  t.is(await owner(), 'before');
  t.is(await noticeAt(url), 'the changed fixtures are invalid; the previous ones are served');

  await put(file, fixture('after'));
  await until(async () => (await owner()) === 'after');
  t.is(await noticeAt(url), undefined);

  await rm(file);
  await shows('no *.json files in this directory');
  t.is(await owner(), 'after');

  await rm(directory, { recursive: true });
  await shows('no such file or directory');
  await mkdir(directory);
  await put(file, fixture('again'));
  await until(async () => (await owner()) === 'again');
  await put(file, fixture('and again'));
  await until(async () => (await owner()) === 'and again');
});

test('one file is served without the others of its directory, and reloaded unless --no-watch is given', async (t) => {
  const directory = await directoryWith(t, { 'x.json': fixture('before'), 'y.json': 'null' });
  const file = join(directory, 'x.json');
  const still = await listen(t, ['-f', file, '--no-watch']);
  const watching = await listen(t, ['-f', file]);
  t.is(await ownerAt(watching.url), 'before');
  await put(file, fixture('after'));
  await watching.until(async () => (await ownerAt(watching.url)) === 'after');
  t.is(await ownerAt(still.url), 'before');
  t.is(still.diagnostics(), '');
});
