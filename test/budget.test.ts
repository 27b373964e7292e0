import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import * as t from 'io-ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** How large the project may be. The numbers only fall; raising one needs a reason in the commit. */
const Budget = t.strict({
  /** Lines of `src`, by room. */
  src: t.record(t.string, t.number),
  /** Lines of `test`, without lock files. */
  test: t.number,
  /** Words of the pages of `docs`. */
  docs: t.number,
  commands: t.number,
  entries: t.number,
});

const linesBelow = async (folder: string, isCounted = (_: string): boolean => true): Promise<number> => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && isCounted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
};

test('no room, nor the tests and documents, are larger than their budget', async (t) => {
  const budget: unknown = JSON.parse(await readFile(join(root, 'test/budget.json'), 'utf8'));
  if (!Budget.is(budget)) return t.fail('test/budget.json lacks a number');
  const rooms = await readdir(join(root, 'src'));
  t.deepEqual(rooms.sort(), Object.keys(budget.src).sort());
  for (const [room, most] of Object.entries(budget.src)) {
    const lines = await linesBelow(`src/${room}`);
    t.true(lines <= most, `src/${room}: ${lines} lines of ${most}`);
  }
  const lines = await linesBelow('test', (name) => name !== 'package-lock.json');
  t.true(lines <= budget.test, `test: ${lines} lines of ${budget.test}`);
  const pages = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(join(root, 'docs', name), 'utf8')));
  const words = texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
  t.true(words <= budget.docs, `docs: ${words} words of ${budget.docs}`);
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  t.true(Object.keys(exports).length <= budget.entries, 'entries of package.json');
  const program = join(root, 'bin/triage-api.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--help']);
  const [, commands = ''] = stdout.split(/^Commands:$/m);
  const count = commands.match(/^ {2}[a-z]/gm)?.length ?? 0;
  t.true(count > 0 && count <= budget.commands, `${count} commands of ${budget.commands}`);
});
