import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { block, documentText } from '../_documented.js';
import { listenProgram, runProcess } from '../cli/_cli.js';
import { run as runScript } from '../runners/_run.js';
import { root } from './_pages.js';

/** The session of the page on verify in which a server of somebody becomes right, step by step. */
const page = documentText('verify.md');
const [start = '', command = ''] = block(page, 'sh own-server').split('\n');
const file = start.replace(/^node (.*) &$/, '$1');
const documented = 'http://127.0.0.1:5000';
const runs = [1, 2, 3, 4, 5, 6];
const unitTests = block(page, 'js contract.test.mjs');

/** The lines of a block with a mark, without it. */
const marked = (text: string, mark: '-' | '+'): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(mark))
    .map((line) => `${line.slice(1)}\n`)
    .join('');

const masked = (text: string): string => text.replaceAll(/ in \d+\.\d s$/gm, ' in … s');

const printedIn = (step: string): string => step.replaceAll(/^[-+].*\n/gm, '');

test('a server with five mistakes keeps the contract after the five changes that its reports and unit tests lead to', async (t) => {
  // As deep in the repository as the example, whose data is the fixtures.
  const directory = await mkdtemp(join(root, 'build', 'own-server-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const copy = join(directory, 'server.mjs');
  let source = await readFile(join(root, file), 'utf8');
  for (const run of runs) {
    await writeFile(copy, source);
    const server = await listenProgram(t, { file: process.execPath, words: [copy, '0'], env: process.env });
    const words = command.replace(documented, server.url).split(' ').slice(2);
    const { code, out, err } = await runProcess(words);
    const tests = join(directory, `contract-${run}.test.mjs`);
    await writeFile(tests, unitTests.replace(documented, server.url));
    const tested = await runScript(directory, '--test', tests);
    await server.end('SIGTERM');
    const printed = out.replaceAll(server.url, documented);
    const isLast = run === runs.at(-1);
    t.is(code, isLast ? 0 : 1, `${run}: ${out}${err}`);
    t.is(tested.code, isLast ? null : 1, `${run}: ${tested.out}`);
    const [, mistake = ''] = /^ {2}(.*) \([^)]*; \w+\)$/m.exec(isLast ? '' : out) ?? [];
    t.true(tested.out.includes(mistake), mistake);
    t.is(mistake === '', isLast);
    if (isLast) {
      t.true(masked(printed).endsWith(masked(block(page, `text own-server ${run}`))), printed);
    } else {
      const step = block(page, `diff own-server ${run}`);
      t.true(printed.startsWith(printedIn(step)), `${run}: ${printed}`);
      const [before = '', after, ...others] = source.split(marked(step, '-'));
      t.true(after !== undefined && others.length === 0, `${run}: the lines to change stand there once`);
      source = `${before}${marked(step, '+')}${after}`;
    }
  }
});
