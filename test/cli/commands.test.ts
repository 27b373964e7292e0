import test from 'ava';
import { commands } from '../../src/cli/program.js';
import { run } from './_cli.js';

test('the help of the program lists every command, in any form in which it is asked for', async (t) => {
  const names = Object.keys(commands);
  for (const words of [['--help'], ['help'], ['-h'], ['-q', '--help']]) {
    const { code, out } = await run(words);
    t.is(code, 0, words.join(' '));
    const listed = Array.from(out.matchAll(/^ {2}([a-z-]+) (?:\[options\]|<|\[)/gm), ([, name = '']) => name);
    t.deepEqual(
      listed.filter((name) => name !== 'help'),
      names,
      words.join(' '),
    );
  }
});

test('each command has the name under which it is loaded', async (t) => {
  for (const [name, load] of Object.entries(commands)) t.is((await load()).name, name);
});

test('without the name of a command, options are those of serve', async (t) => {
  const { code, err } = await run(['--port', 'none']);
  t.is(code, 2);
  t.regex(err, /^--port: /);
});
