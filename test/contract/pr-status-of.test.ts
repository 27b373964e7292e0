import test from 'ava';
import { prStatusOf } from '../../src/contract/pr-status-of.js';

const table = [
  ['open', 'open'],
  ['merged', 'merged'],
  ['closed', 'closed'],
  ['cancelled', 'closed'],
  [null, 'closed'],
  ['', null],
  ['Open', null],
  [' open', null],
  ['canceled', null],
  ['draft', null],
  ['null', null],
] as const;

for (const [stored, status] of table) {
  test(`a pull request stored as ${JSON.stringify(stored)} answers to ${status ?? 'no filter'}`, (t) =>
    t.is(prStatusOf(stored), status));
}
