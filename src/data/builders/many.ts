import { TriageApiError } from '../../common/messages.js';
import { describe } from '../../contract/codecs/problem.js';
import { integerFrom } from '../../contract/codecs/text-and-numbers.js';

/** More would be a mistake: a fixture of a million findings takes a gigabyte. */
const Count = integerFrom(0, 1_000_000);

/**
 * A list of `count` items; `make` is given the index of each, from 0. Throws a `TriageApiError` if the count
 * is invalid.
 */
export const many = <A>(count: number, make: (index: number) => A): readonly A[] => {
  if (!Count.is(count)) throw new TriageApiError([`many: expected ${Count.name}, got ${describe(count)}`]);
  return Array.from({ length: count }, (_, index) => make(index));
};
