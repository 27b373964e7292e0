import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/** docs/security.md, compared with the source and the tests. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

/**
 * How many requirements of OWASP ASVS 5.0.0 each section has on levels 1 and 2. Their numbers begin at 1;
 * those of level 3 come after them.
 */
const sections =
  '1.1: 2, 1.2: 9, 1.3: 11, 1.4: 3, 1.5: 2, 2.1: 3, 2.2: 3, 2.3: 4, 2.4: 1, 3.2: 2, 3.3: 4, 3.4: 6, ' +
  '3.5: 5, 3.7: 2, 4.1: 3, 4.2: 1, 4.3: 2, 4.4: 4, 5.1: 1, 5.2: 3, 5.3: 2, 5.4: 3, 6.1: 3, 6.2: 12, ' +
  '6.3: 4, 6.4: 4, 6.5: 5, 6.6: 3, 6.8: 4, 7.1: 3, 7.2: 4, 7.3: 2, 7.4: 5, 7.5: 2, 7.6: 2, 8.1: 2, ' +
  '8.2: 3, 8.3: 1, 8.4: 1, 9.1: 3, 9.2: 4, 10.1: 2, 10.2: 2, 10.3: 4, 10.4: 11, 10.5: 5, 10.6: 2, ' +
  '10.7: 3, 11.1: 2, 11.2: 3, 11.3: 3, 11.4: 4, 11.5: 1, 11.6: 1, 12.1: 3, 12.2: 2, 12.3: 4, ' +
  '13.1: 1, 13.2: 5, 13.3: 2, 13.4: 5, 14.1: 2, 14.2: 4, 14.3: 3, 15.1: 3, 15.2: 3, 15.3: 7, ' +
  '16.1: 1, 16.2: 5, 16.3: 4, 16.4: 3, 16.5: 3, 17.1: 1, 17.2: 4, 17.3: 2';

const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const requirements = sections.split(', ').flatMap((each) => {
  const [section, count] = each.split(': ');
  return upTo(Number(count)).map((number) => `${section}.${number}`);
});

/** The numbers in a cell: `1.2.1–3` stands for three. */
const numbersIn = (cell: string): readonly string[] =>
  Array.from(cell.matchAll(/(\d+\.\d+)\.(\d+)(?:–(\d+))?/g)).flatMap(([, section, first, last = first]) =>
    upTo(Number(last), Number(first)).map((number) => `${section}.${number}`),
  );

/** The cells of the table of requirements, row by row, without the chapter and the proof. */
const verdicts = async (): Promise<readonly (readonly string[])[]> =>
  Array.from(
    (await read('docs/security.md')).matchAll(/^\| \d+ [^|]*\|([^|]*\|[^|]*\|[^|]*\|[^|]*)\|/gm),
    ([, cells = '']) => cells.split('|'),
  );

/** The tests that a cell names: their files, and words of their titles. */
const testsIn = (cell: string): readonly Readonly<{ file: string; words: string }>[] =>
  Array.from(cell.matchAll(/`(test\/[\w./-]+\.test\.ts)` “(.+?)”/g), ([, file = '', words = '']) => ({
    file,
    words,
  }));

test('each requirement of level 1 and 2 is named once', async (t) => {
  const named = (await verdicts()).flat().flatMap(numbersIn);
  t.is(named.length, 253);
  t.deepEqual([...named].sort(), [...requirements].sort());
});

test('each test that this page and CONTRIBUTING.md name exists', async (t) => {
  let checked = 0;
  const pages = [await read('docs/security.md'), await read('CONTRIBUTING.md')];
  for (const { file, words } of pages.flatMap(testsIn)) {
    const titles = Array.from(
      (await read(file)).matchAll(/^ *test(?:\.serial)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/gm),
      ([, , title = '']) => title,
    );
    t.true(
      titles.some((title) => title.includes(words)),
      `${file} “${words}”`,
    );
    checked += 1;
  }
  t.true(checked > 35);
});

test('what is not met is explained in the list of what is missing', async (t) => {
  const missing = (await read('docs/security.md')).split('### What is missing')[1] ?? '';
  const listed = Array.from(missing.matchAll(/^\| ([\d., ]+) \|/gm)).flatMap(([, cell = '']) =>
    numbersIn(cell),
  );
  const notMet = (await verdicts()).flatMap(([, , cell = '']) => numbersIn(cell));
  t.true(notMet.length > 0);
  t.deepEqual(listed.sort(), notMet.sort());
});

test('the inventory of cryptography names every file that uses it', async (t) => {
  const using: string[] = [];
  for (const entry of await readdir(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    if (/from 'node:(?:crypto|tls|https)'/.test(await readFile(file, 'utf8'))) {
      using.push(file.slice(root.length).replaceAll('\\', '/'));
    }
  }
  t.true(using.length >= 3);
  const [, inventory = ''] = /\n## Cryptography\n([\s\S]*?)\n## /.exec(await read('docs/security.md')) ?? [];
  for (const file of using) t.true(inventory.includes(`\`${file}\``), file);
});
