import test from 'ava';
import { negatedOption } from '../../../src/cli/settings/options.js';

const text = { flags: '-q, --quiet', description: 'print nothing' };

for (const [fallback, description] of [
  [false, 'print it all (default)'],
  [true, 'print it all'],
  // The default depends on another option.
  [undefined, 'print it all'],
] as const) {
  test(`--no-x, where x is ${fallback ?? 'undecided'} by default`, (t) => {
    const option = { ...text, negatable: 'print it all', ...(fallback === undefined ? {} : { fallback }) };
    t.deepEqual(negatedOption(option), { flags: '--no-quiet', description });
  });
}

test('a switch that cannot be negated has no --no-x', (t) => {
  t.is(negatedOption(text), null);
});
