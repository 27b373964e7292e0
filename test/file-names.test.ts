import { readdir } from 'node:fs/promises';
import { basename, relative, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** Other systems have folders in which names that differ in letter case alone are one, and reserve names. */
const root = fileURLToPath(new URL('../../', import.meta.url));

const names = async (): Promise<readonly string[]> => {
  const folders = ['bin', 'src', 'test', 'docs', 'fixtures', 'schema', 'examples', 'scripts', 'bench'];
  const found = await Promise.all(
    folders.map((folder) => readdir(`${root}${folder}`, { recursive: true, withFileTypes: true })),
  );
  return found
    .flat()
    .map(({ parentPath, name }) => relative(root, `${parentPath}/${name}`))
    .filter((name) => !name.includes('node_modules'));
};

test('no two files have names that differ in letter case alone', async (t) => {
  const all = await names();
  t.true(all.length > 500);
  t.is(new Set(all.map((name) => name.toLowerCase())).size, all.length);
});

test('every name can be written on Windows', async (t) => {
  for (const name of await names()) {
    t.notRegex(name, /[<>:"|?*\\]|[. ]$/);
    t.notRegex(basename(name), /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
    t.true(win32.join('C:\\Users\\somebody\\projects\\triage-api', name).length < 200, name);
  }
});
