import test from 'ava';
import fc from 'fast-check';
import { seenLately } from '../../src/common/seen-lately.js';

test('an object is known if it is one of the last ones, and forgotten after twice as many others', (t) => {
  const objects = Array.from({ length: 40 }, (_, id) => ({ id }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.constantFrom(...objects), { maxLength: 200 }),
      (count, calls) => {
        const wasSeen = seenLately<object>(count);
        for (const [index, object] of calls.entries()) {
          const before = calls.slice(0, index);
          const last = before.lastIndexOf(object);
          const others = new Set(before.slice(last + 1)).size;
          const known = wasSeen(object);
          if (last === -1) t.false(known);
          else if (others < count) t.true(known);
          else if (others >= 2 * count) t.false(known);
        }
      },
    ),
  );
});
