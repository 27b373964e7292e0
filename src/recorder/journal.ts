import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';

/** An answer that was good: to which request, and what it said. `date` is the server's clock in milliseconds, where it told. */
export const Heard = t.strict(
  { request: t.string, status: Integer, date: nullable(Integer), body: t.unknown },
  'answer',
);
export type Heard = t.TypeOf<typeof Heard>;

/**
 * The good answers of a recording, in their order. A recording asks the same things in the same order as long as it is
 * answered the same, so that one that was broken off goes on by hearing these again.
 */
export type Journal = Readonly<{
  /** What an earlier run has heard. */
  before: readonly Heard[];
  /** Keeps one more. `left`: why it cannot be kept. */
  add: (heard: Heard) => TaskEither<string, void>;
}>;
