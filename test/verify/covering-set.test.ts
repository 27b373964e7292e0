import test from 'ava';
import fc from 'fast-check';
import { coveringSet } from '../../src/verify/covering-set.js';

const goalsOf = (candidate: readonly string[]) => candidate;

test('what is chosen reaches every goal that any candidate reaches, and each choice reaches a new one', (t) => {
  const candidates = fc.array(fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(candidates, (all) => {
      const chosen = coveringSet(all, goalsOf);
      const reached = new Set<string>();
      for (const goals of chosen) {
        t.true(goals.some((goal) => !reached.has(goal)));
        for (const goal of goals) reached.add(goal);
      }
      t.deepEqual([...reached].sort(), [...new Set(all.flat())].sort());
    }),
  );
});

test('the candidate that reaches the most is taken first', (t) => {
  t.deepEqual(coveringSet([['a'], ['b', 'c'], ['a', 'b', 'c']], goalsOf), [['a', 'b', 'c']]);
});
