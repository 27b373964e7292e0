import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { decodeScenario } from '../../src/simulation/patches.js';

test('steps of a scenario play in the order of their times, then of the list', (t) => {
  const scenario = decodeScenario([
    { at: '+30s', patch: {}, note: 'b' },
    { at: 'PT10S', tenant: 'acme', patch: {}, note: 'a' },
    { at: '30s', patch: {}, note: 'c' },
  ]);
  t.deepEqual(E.isRight(scenario) && scenario.right.map(({ at, index, note }) => [at, index, note]), [
    [10_000, 1, 'a'],
    [30_000, 0, 'b'],
    [30_000, 2, 'c'],
  ]);
});
