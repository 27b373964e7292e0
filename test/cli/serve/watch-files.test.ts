import { type FSWatcher, watch } from 'node:fs';
import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { watchFiles } from '../../../src/cli/serve/watch-fixtures.js';
import { directoryWith } from '../../storage/memory/_directory.js';

/** Watches `fixtures/` in a directory of its own; `changed` resolves when something has changed since. */
const watching = async (t: ExecutionContext) => {
  const parent = await directoryWith(t, {});
  const directory = join(parent, 'fixtures');
  await mkdir(directory);
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

test('each way to change a JSON file is noticed', async (t) => {
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

test('a directory that is deleted and created again is noticed, and what happens in it then', async (t) => {
  const { directory, changed } = await watching(t);
  await rm(directory, { recursive: true });
  await changed();
  await mkdir(directory);
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

test('other files are not reported, such as a log in the parent directory', async (t) => {
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
