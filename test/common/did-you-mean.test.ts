import test from 'ava';
import { didYouMean, nearest } from '../../src/common/messages.js';

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
