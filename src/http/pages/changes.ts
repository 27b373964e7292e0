import * as t from 'io-ts';
import { listOf, nullable } from '../../contract/codecs/combinators.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import { integerFrom } from '../../contract/codecs/text-and-numbers.js';

const Place = new StrictObject(
  { file: t.string, line: integerFrom(1), column: integerFrom(1) },
  'place in a file',
);

const Problem = new StrictObject(
  { message: t.string, place: nullable(Place), frame: nullable(t.string) },
  'problem of a fixture',
);

/** The problems of changed fixtures that are not served: their number, and the first of them. */
export const Problems = new StrictObject({ total: integerFrom(0), first: listOf(Problem) }, 'problems');
export type Problems = t.TypeOf<typeof Problems>;

/** What the script of the explorer asks for again and again. */
export const ChangesAnswer = new StrictObject(
  {
    /** Another text after each change of the data or the clock. */
    version: t.string,
    /** How long to wait before the next request, in milliseconds. */
    every: integerFrom(1),
    /** Null: the fixtures have none, or the client may not see them. */
    problems: nullable(Problems),
  },
  'changes',
);

/** What changes while a server runs, as far as it knows. */
export type Changes = Readonly<{
  /** Another text after each change of the data or the clock, and after a new start. */
  version: () => string;
  /** What is wrong with the fixtures that were to be served last; null: nothing. */
  problems: () => Problems | null;
}>;
