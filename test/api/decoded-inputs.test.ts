import test from 'ava';
import fc from 'fast-check';
import { queryOf } from '../../src/common/query-values.js';
import { runs } from '../_runs.js';

test('query parameters have the values that URLSearchParams reads', (t) => {
  const part = fc.oneof(
    fc.constantFrom('', ...'page limit = & == && ? % %41 %zz + ; 1 __proto__ é'.split(' ')),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      (query) => {
        const parameters = new URLSearchParams(query);
        const expected = Array.from(new Set(parameters.keys()), (name) => [name, parameters.getAll(name)]);
        t.deepEqual(Array.from(queryOf(query)), expected);
      },
    ),
    runs(),
  );
});
