import test from 'ava';
import { commands } from '../../src/cli/program.js';
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

test('the help begins with what people come for first', async (t) => {
  const names = [
    'serve',
    'explore',
    'demo',
    'init',
    'generate',
    'import-from',
    'check',
    'verify',
    'record',
    'diff',
  ];
  const database = ['db migrate', 'db import', 'db delete-tenant', 'db purge'];
  t.deepEqual(Object.keys(commands).slice(0, 14), [...names, ...database]);
});

test('each command has the name under which it is loaded', async (t) => {
  for (const [name, load] of Object.entries(commands)) t.is((await load()).name, name);
});

test('without the name of a command, options are those of serve', async (t) => {
  const { code, err } = await run(['--port', 'none']);
  t.is(code, 2);
  t.regex(err, /^--port: /);
});
