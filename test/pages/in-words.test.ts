import test from 'ava';
import { counted, inWords } from '../../src/pages/in-words.js';

for (const [seconds, words] of [
  [0, '1 second'],
  [1, '1 second'],
  [59.2, '60 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [3600, '60 minutes'],
  [7200, '2 hours'],
  [86_400, '24 hours'],
] as const) {
  test(`${seconds} seconds are ${words}`, (t) => {
    t.is(inWords(seconds), words);
  });
}

test('a number has its noun', (t) => {
  t.is(counted(0, 'finding', 'findings'), '0 findings');
  t.is(counted(1, 'finding', 'findings'), '1 finding');
  t.is(counted(9988, 'finding', 'findings'), '9,988 findings');
});
