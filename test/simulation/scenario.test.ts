import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import { decodeScenario } from '../../src/simulation/patches.js';

test('steps of a scenario play in the order of their times, then of the list', (t) => {
  const scenario = decodeScenario([
    { at: '+30s', patch: {}, note: 'b' },
    { at: 'PT10S', tenant: 'acme', patch: {}, note: 'a' },
    { at: '30s', patch: {}, note: 'c' },
  ]);
  t.deepEqual(
    E.isRight(scenario) ? scenario.right.map(({ at, index, note }) => [at, index, note]) : scenario.left,
    [
      [10_000, 1, 'a'],
      [30_000, 0, 'b'],
      [30_000, 2, 'c'],
    ],
  );
});

test('all problems of a scenario are reported', (t) => {
  const scenario = decodeScenario([{ at: '-1s', patch: {} }, { at: 'soon', patch: [], what: 1 }, 3]);
  const problems = E.isLeft(scenario) ? scenario.left.map(formatProblem) : [];
  t.deepEqual(
    problems.map((line) => line.replace(/:.*/, '')),
    ['/0/at', '/1/at', '/1/patch', '/1/what', '/2'],
  );
});
