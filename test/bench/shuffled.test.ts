import test from 'ava';
import { shuffled } from '../../bench/requests/shuffled.js';

test('every number is there once, in an order that depends on the seed alone', (t) => {
  const orders = [0, 1, 2, 3].map((seed) => shuffled(17, seed));
  for (const order of orders)
    t.deepEqual(
      order.toSorted((l, r) => l - r),
      Array.from({ length: 17 }, (_, i) => i),
    );
  t.is(new Set(orders.map(String)).size, 4);
  t.deepEqual(shuffled(17, 3), orders[3]);
  t.true(new Set([0, 1, 2, 3, 4, 5, 6].map((seed) => shuffled(3, seed)[0])).size > 1);
});
