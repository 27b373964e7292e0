import test from 'ava';
import fc from 'fast-check';
import { heldByFirst, startsByWeight } from '../../src/generator/share-out.js';

test('shares differ by one at most, and add up to the total', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 1000 }), fc.integer({ min: 1, max: 60 }), (total, parts) => {
      const shares = Array.from(
        { length: parts },
        (_, part) => heldByFirst(total, part + 1, parts) - heldByFirst(total, part, parts),
      );
      t.is(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
      t.true(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});

test('products beyond the safe integers are exact', (t) => {
  t.is(heldByFirst(10 ** 15, 999_999, 10 ** 6), 999_999_000_000_000);
  t.is(heldByFirst(9_007_199_254_740_991, 3, 7), 3_860_228_252_031_853);
});

test('holders have as much as their weights say, and those without weight nothing', (t) => {
  t.deepEqual(startsByWeight(10, [3, 0, 1, 1]), [0, 6, 6, 8, 10]);
  t.deepEqual(startsByWeight(0, []), [0]);
  t.deepEqual(startsByWeight(0, [0, 0]), [0, 0, 0]);
});
