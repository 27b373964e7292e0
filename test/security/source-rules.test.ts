import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files of some rooms of the source, without comments. */
const filesOf = async (
  ...rooms: readonly string[]
): Promise<readonly Readonly<{ name: string; code: string }>[]> => {
  const folders = rooms.map((room) => join(root, 'src', room));
  const entries = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const files = entries.flat().filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name));
  return Promise.all(
    files.map(async (entry) => {
      const file = join(entry.parentPath, entry.name);
      const text = await readFile(file, 'utf8');
      return { name: relative(root, file), code: text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') };
    }),
  );
};

/** The rooms that see what a client sends. */
const serving = ['koa', 'start', 'pages', 'simulation', 'api', 'accounts', 'contract'];

/** What accepts encrypted connections. The rule below keeps it from opening any. */
const accepting = new Set(['src/koa/connections.ts', 'src/koa/listen.ts']);

test('no code is made from text', async (t) => {
  const files = await filesOf('');
  t.true(files.length > 200);
  for (const { name, code } of files)
    t.notRegex(code, /\beval\(|\bFunction\(|node:vm|set(?:Timeout|Interval)\('/, name);
});

test('no regular expression is built from input', async (t) => {
  const building = (await filesOf('')).filter(({ code }) => /\bRegExp\(/.test(code)).map(({ name }) => name);
  // Both build theirs from paths of the program.
  t.deepEqual(building.sort(), ['src/api/routes.ts', 'src/verify/exchange.ts']);
});

test('no room that serves requests sends any', async (t) => {
  const files = await filesOf(...serving);
  t.true(files.length > 60);
  for (const { name, code } of files) {
    // Commands that pages show, in texts.
    const shown = code.replaceAll('await fetch(${JSON', '');
    // These scripts run in a browser, and ask only the server that they come from.
    const own = /^src\/pages\/.*\.js$/.test(name)
      ? shown.replace(/fetch\((?:`\$\{base\}\/api\/v1\/|url, \{ \.\.\.init, signal: )/, '')
      : shown;
    const opened = accepting.has(name) ? own.replace(/'node:(?:https|tls)'/, '') : own;
    t.notRegex(
      opened,
      /\bfetch\(|from 'node:(?:https|http2|dgram|dns|tls|child_process|worker_threads)/,
      name,
    );
    t.notRegex(
      code,
      /\b(?:http|net)\.(?:request|get|connect)\(|import \{[^}]*\b(?:request|get|connect|createConnection)\b[^}]*\} from 'node:/,
      name,
    );
  }
});

test('no room that serves requests reads or writes files, but to open fixtures', async (t) => {
  const files = (await filesOf(...serving)).filter(({ name }) => name !== 'src/simulation/open-fixtures.ts');
  for (const { name, code } of files) t.notRegex(code, /from 'node:(?:fs|path)/, name);
});
