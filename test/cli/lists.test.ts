import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { Hosts, Origins } from '../../src/cli/serve/serve-options.js';

const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'];

for (const words of [[`${a},${b}`, `${c}`], [`${a}, ${b}`, `${c}`], [a, b, c], [`${a},${b},${c}`]]) {
  test(`--cors-origin ${words.join(' ')} lists three origins`, (t) => {
    t.deepEqual(Origins.decode(words), E.right([a, b, c]));
  });
}

test('the environment separates the same values by commas', (t) => {
  t.deepEqual(Origins.decode(`${a},${b}`), E.right([a, b]));
  t.deepEqual(
    Hosts.decode(['a.example,b.example', '.c.example']),
    E.right(['a.example', 'b.example', '.c.example']),
  );
  for (const wrong of [`${a},`, `,${a}`, `${a},,${b}`, `${a},*`])
    t.true(E.isLeft(Origins.decode([wrong])), wrong);
});
