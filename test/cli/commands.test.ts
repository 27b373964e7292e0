import { readFile } from 'node:fs/promises';
import test from 'ava';
import { commands } from '../../src/cli/program.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { run } from './_cli.js';

test('the help of the program lists every command, in any form in which it is asked for', async (t) => {
  const names = Object.keys(commands);
  for (const words of [['--help'], ['help'], ['-h'], ['-q', '--help'], ['help', 'help']]) {
    const { code, out } = await run(words);
    t.is(code, 0, words.join(' '));
    const listed = Array.from(out.matchAll(/^ {2}((?:db )?[a-z-]+)(?: [<[]\S+)? {2,}/gm), ([, name]) => name);
    t.deepEqual(listed, names, words.join(' '));
  }
});

test('the help begins with what people come for first', (t) => {
  const words = 'serve explore demo init generate import-from check verify record diff'.split(' ');
  const database = ['db migrate', 'db import', 'db delete-tenant', 'db purge'];
  t.deepEqual(Object.keys(commands).slice(0, 14), [...words, ...database]);
});

test('without the name of a command, options are those of serve', async (t) => {
  const { code, err } = await run(['--port', 'none']);
  t.is(code, 2);
  t.regex(err, /^--port: /);
});

test('openapi prints the document, and nothing else', async (t) => {
  const { code, out, err } = await run(['openapi']);
  t.deepEqual([code, err], [0, '']);
  t.is(out, `${JSON.stringify(openApiDocument(readExamples()), null, 2)}\n`);
});

test('openapi --fixtures prints the schema that is shipped', async (t) => {
  const shipped = new URL('../../../schema/fixture.schema.json', import.meta.url);
  t.deepEqual(await run(['openapi', '--fixtures']), {
    code: 0,
    out: await readFile(shipped, 'utf8'),
    err: '',
  });
});
