import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { takeTurns } from '../../src/http/take-turns.js';

test('work that waits is done in order, so many pieces in each turn of the event loop', async (t) => {
  const later = takeTurns(2);
  const done: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) later(() => done.push(name));
  t.deepEqual(done, []);
  const turns: string[] = [];
  for (let i = 0; i < 4; i += 1) {
    await setImmediate();
    turns.push(done.join(''));
  }
  t.deepEqual(turns, ['ab', 'abcd', 'abcde', 'abcde']);
});

test('work that adds work has it done in a later turn', async (t) => {
  const later = takeTurns(10);
  const done: string[] = [];
  later(() => {
    done.push('first');
    later(() => done.push('second'));
  });
  await setImmediate();
  t.deepEqual(done, ['first']);
  await setImmediate();
  await setImmediate();
  t.deepEqual(done, ['first', 'second']);
});
