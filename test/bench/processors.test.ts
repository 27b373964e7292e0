import test from 'ava';
import { boundTo, processorNumbers } from '../../bench/processors.js';

test('lists of processors are read as Linux writes them', (t) => {
  t.deepEqual(processorNumbers('0-2,8,10-11\n'), [0, 1, 2, 8, 10, 11]);
  t.deepEqual(processorNumbers('3'), [3]);
  t.deepEqual(processorNumbers(''), []);
});

test('a command is bound only where a processor is given', (t) => {
  t.deepEqual(boundTo(1, ['node', 'a.js']), ['taskset', '-c', '1', 'node', 'a.js']);
  t.deepEqual(boundTo(undefined, ['node', 'a.js']), ['node', 'a.js']);
});
