import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ExecutionContext } from 'ava';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of the example in a directory where the name of this package leads to what it exports. */
export const customStorage = async (t: ExecutionContext): Promise<string> => {
  const directory = await mkdtemp(join(root, 'build', 'custom-storage-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const name of ['sqlite-storage.js', 'open-for-tests.js']) {
    await cp(join(root, 'examples', 'custom-storage', name), join(directory, name));
  }
  return directory;
};

/** An export of one of its modules. */
export const exportOf = async (directory: string, file: string, name: string): Promise<unknown> =>
  Object(await import(pathToFileURL(join(directory, file)).href))[name];
