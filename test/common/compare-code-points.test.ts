import test from 'ava';
import fc from 'fast-check';
import { compareCodePoints } from '../../src/common/compare-code-points.js';

test('text is ordered as the bytes of its UTF-8 are', (t) => {
  const text = fc.string({ unit: 'binary', maxLength: 6 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      t.is(Math.sign(compareCodePoints(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
    { numRuns: 2000 },
  );
});

test('an emoji comes after U+FFFD, unlike in the order of UTF-16 units', (t) => {
  t.true(compareCodePoints('😀', '\ufffd') > 0);
  t.true('😀' < '\ufffd');
});

test('a beginning comes before the whole, upper case before lower case', (t) => {
  t.deepEqual(['b', 'ab', 'a', 'B', ''].sort(compareCodePoints), ['', 'B', 'a', 'ab', 'b']);
});
