import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { serveOptions } from '../../src/cli/serve/serve-options.js';

const { corsOrigins, allowedHosts } = serveOptions;
const [Origins, Hosts] = [corsOrigins.codec, allowedHosts.codec];

const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'];

test('a list has its values in several words, with commas between them, or both; the environment with commas', (t) => {
  for (const words of [[`${a},${b}`, c], [`${a}, ${b}`, c], [a, b, c], [`${a},${b},${c}`], `${a},${b},${c}`])
    t.deepEqual(Origins.decode(words), E.right([a, b, c]), String(words));
  const hosts = ['a.example', 'b.example', '.c.example'];
  t.deepEqual(Hosts.decode(['a.example,b.example', '.c.example']), E.right(hosts));
  for (const wrong of [`${a},`, `,${a}`, `${a},,${b}`, `${a},*`])
    t.true(E.isLeft(Origins.decode([wrong])), wrong);
});
