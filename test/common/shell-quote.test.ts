import { execFileSync } from 'node:child_process';
import test from 'ava';
import { shellQuote } from '../../src/common/messages.js';

test('a shell takes any text as one word and changes nothing in it', (t) => {
  const texts = ["it's", '$HOME `id` $(id)', '"; rm -rf x #', 'a\nb\tc', '', "'''", '\\', '*?[a]', '価格 é'];
  const output = execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(shellQuote).join(' ')}`]);
  t.deepEqual(output.toString().split('\0').slice(0, -1), texts);
});
