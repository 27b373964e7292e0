import { execFileSync } from 'node:child_process';
import test from 'ava';
import {
  didYouMean,
  escapeControlCharactersInLines,
  expectedOneOf,
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

test('an unknown name is answered with the known ones, or the first of many, and with the nearest', (t) => {
  t.is(expectedOneOf('since', ['page', 'limit']), 'expected one of page, limit, got "since"');
  t.is(expectedOneOf('pgae', ['page']), 'expected one of page, got "pgae"; did you mean "page"?');
  t.is(
    expectedOneOf('usr_acmee', ['acme'], ['usr_acme']),
    'expected one of acme, got "usr_acmee"; did you mean "usr_acme"?',
  );
  t.is(expectedOneOf('page', []), 'there is none, so "page" is unknown');
  const many = Array.from({ length: 300 }, (_, index) => `name${index}`);
  const listed = many.slice(0, 20).join(', ');
  t.is(
    expectedOneOf('name299x', many),
    `expected one of ${listed}, 280 more, got "name299x"; did you mean "name299"?`,
  );
  t.is(expectedOneOf('x'.repeat(1000), ['y']), `expected one of y, got "${'x'.repeat(60)}…"`);
  t.notRegex(expectedOneOf('name1x', Array(20_001).fill('name1')), /did you mean/);
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
