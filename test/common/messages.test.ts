import { execFileSync } from 'node:child_process';
import test from 'ava';
import {
  didYouMean,
  escapeControlCharactersInLines,
  nearest,
  shellQuote,
} from '../../src/common/messages.js';

const known = ['page', 'limit', 'repoId', 'severity', 'status'];

for (const [word, expected] of [
  ['pgae', 'page'],
  ['Limit', 'limit'],
  ['repo', 'repoId'],
  ['repo_id', 'repoId'],
  ['sverity', 'severity'],
  ['', null],
  ['since', null],
  ['x'.repeat(100), null],
] as const) {
  test(`the known word nearest to ${JSON.stringify(word)} is ${expected ?? 'none'}`, (t) => {
    t.is(nearest(word, known), expected);
  });
}

test('a hint names the nearest known word and is empty without one', (t) => {
  t.is(didYouMean('pgae', known), '; did you mean "page"?');
  t.is(didYouMean('since', known), '');
  t.is(didYouMean('anything', []), '');
});

test('a shell takes any text as one word and changes nothing in it', (t) => {
  const texts = ["it's", '$HOME `id` $(id)', '"; rm -rf x #', 'a\nb\tc', '', "'''", '\\', '*?[a]', '価格 é'];
  const output = execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(shellQuote).join(' ')}`]);
  t.deepEqual(output.toString().split('\0').slice(0, -1), texts);
});

test('control characters and those that change the direction of text are escaped, line feeds are not', (t) => {
  t.is(escapeControlCharactersInLines('a\nb\tc\u001b[1m'), 'a\nb\\u0009c\\u001b[1m');
  t.is(escapeControlCharactersInLines('\u202e\u2066\u2028é😀'), '\\u202e\\u2066\\u2028é😀');
});
