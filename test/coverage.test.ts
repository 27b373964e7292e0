import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../', import.meta.url));
const compiled = join(root, 'build/src');

/** Browser scripts, stand-ins that give shipped files their types, and what only runs on a cluster. */
const others = [
  'src/pages/*.js',
  'src/testing/shipped-fixture.ts',
  'src/testing/shipped-scenario.ts',
  'src/postgres/citus.ts',
];

/** What the compiler leaves of a file that declares types only. */
const isEmpty = (script: string): boolean =>
  /^\s*export \{\};\s*$/.test(script.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));

test('coverage leaves out files that only declare types, browser scripts, and what the tests of Citus run', async (t) => {
  const scripts = (await readdir(compiled, { recursive: true })).filter((path) => path.endsWith('.js'));
  const empty = await Promise.all(
    scripts.map(async (path) => (isEmpty(await readFile(join(compiled, path), 'utf8')) ? [path] : [])),
  );
  const expected = empty.flat().map((path) => `src/${path.replaceAll('\\', '/').replace(/\.js$/, '.ts')}`);
  const { exclude } = JSON.parse(await readFile(join(root, '.c8rc.json'), 'utf8'));
  t.deepEqual([...exclude].sort(), [...expected, ...others].sort());
});
