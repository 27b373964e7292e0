import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { eachOf, type Need } from './needs.js';

/** No value at all: a check that needs nothing else is not exercised. */
export const nothing = <A>(): Need<A> => eachOf<A>([]);

/** Several needs, whose values are judged together. */
export const together = <A>(needs: readonly Need<A>[]): Need<readonly A[]> => ({
  compares: true,
  fetch: (context) =>
    pipe(
      TE.sequenceArray(needs.map((need) => need.fetch(context))),
      TE.map((values) => [values.flat()]),
    ),
});
