import { both, eachOf, mapped, type Need } from './needs.js';

/** No value at all: a check that needs nothing else is not exercised. */
export const nothing = <A>(): Need<A> => eachOf<A>([]);

/** Several needs of one value each, whose values are judged together. */
export const together = <A>(first: Need<A>, ...others: readonly Need<A>[]): Need<readonly A[]> =>
  others.reduce<Need<readonly A[]>>(
    (before, next) => mapped(both(before, next), ([values, value]) => [...values, value]),
    mapped(first, (value) => [value]),
  );
