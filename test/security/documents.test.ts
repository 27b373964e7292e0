import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { requirements } from './_requirements.js';

/** docs/security.md and docs/asvs.md, compared with the source, the tests and each other. */
const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

const verdicts = ['met', 'not applicable', "operator's", 'not met'];

type Row = Readonly<{
  number: string;
  level: string;
  requirement: string;
  verdict: string;
  reason: string;
  proof: string;
}>;

/** The rows of the tables of requirements. */
const rows = async (): Promise<readonly Row[]> =>
  Array.from(
    (await read('docs/asvs.md')).matchAll(
      /^\| (\d+\.\d+\.\d+) \| (\d) \| (.*?) \| (.*?) \| (.*?) \| (.*?) ?\|$/gm,
    ),
    ([, number = '', level = '', requirement = '', verdict = '', reason = '', proof = '']) => ({
      number,
      level,
      requirement,
      verdict,
      reason,
      proof,
    }),
  );

/** The tests that a cell names: their files, and words of their titles. */
const testsIn = (cell: string): readonly Readonly<{ file: string; words: string }>[] =>
  Array.from(cell.matchAll(/`(test\/[\w./-]+\.test\.ts)` “(.+?)”/g), ([, file = '', words = '']) => ({
    file,
    words,
  }));

test('each requirement of level 1 and 2 has one row, in order, with its level and a verdict', async (t) => {
  const found = await rows();
  t.deepEqual(
    found.map(({ number, level }) => ({ number, level })),
    requirements.map(({ number, level }) => ({ number, level })),
  );
  t.is(found.length, 253);
  for (const { number, requirement, verdict, reason } of found) {
    t.true(verdicts.includes(verdict), `${number}: ${verdict}`);
    t.true(requirement.length > 5 && reason.length > 5, number);
  }
});

test('what is met is shown by a test or a document', async (t) => {
  for (const { number, verdict, proof } of await rows()) {
    if (verdict === 'met' || verdict === "operator's") t.regex(proof, /“.+”|\]\(.+\)/, number);
    t.is(proof.replaceAll(/`[^`]*` “.+?”|\[[^\]]*\]\([^)]*\)|; /g, ''), '', `${number}: ${proof}`);
  }
});

test('each test that the pages name exists', async (t) => {
  let checked = 0;
  for (const page of ['docs/asvs.md', 'docs/security.md']) {
    for (const { file, words } of testsIn(await read(page))) {
      const titles = Array.from(
        (await read(file)).matchAll(/^ *test(?:\.serial)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/gm),
        ([, , title = '']) => title,
      );
      t.true(
        titles.some((title) => title.includes(words)),
        `${page}: ${file} “${words}”`,
      );
      checked += 1;
    }
  }
  t.true(checked > 100);
});

test('the summary counts the rows, and the list of what is missing has those that are not met', async (t) => {
  const found = await rows();
  const page = await read('docs/asvs.md');
  for (const verdict of verdicts) {
    const of = found.filter((row) => row.verdict === verdict);
    const [one, two] = ['1', '2'].map((level) => of.filter((row) => row.level === level).length);
    t.regex(page, new RegExp(`^\\| ${verdict} \\| [^|]+ \\| ${one} \\| ${two} \\|$`, 'm'), verdict);
  }
  const missing = (await read('docs/security.md')).split('## What is missing')[1] ?? '';
  const listed = Array.from(missing.matchAll(/^\| ([\d., ]+) \|/gm)).flatMap(([, numbers = '']) =>
    numbers.split(', '),
  );
  t.deepEqual(
    listed.sort(),
    found
      .filter(({ verdict }) => verdict === 'not met')
      .map(({ number }) => number)
      .sort(),
  );
});

/** The anchors that headings get. */
const anchorsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links to a section lead to one', async (t) => {
  let checked = 0;
  for (const page of ['docs/security.md', 'docs/asvs.md', 'SECURITY.md']) {
    for (const [, target = '', anchor] of (await read(page)).matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g,
    )) {
      const file = target === '' ? page : join(dirname(page), target);
      const text = await read(file);
      if (anchor !== undefined) t.true(anchorsOf(text).includes(anchor), `${page}: ${target}#${anchor}`);
      checked += 1;
    }
  }
  t.true(checked > 40);
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
