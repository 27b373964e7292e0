import * as E from 'fp-ts/lib/Either.js';
import { canonicalJson } from '../common/canonical-json.js';
import type { RecordError } from './record-error.js';

/** A list as it was read once; `signs` of that it is not whole or not one list, in words. */
export type Reading<A> = Readonly<{
  rows: readonly A[];
  /** What it looks like at its beginning, to see later whether it still does. */
  head: string;
  /** When it was read by the clock of the server, in milliseconds; null: not told. */
  date: number | null;
  /** Whether it was read to its end: not, where it was known before that it would have to be read again. */
  isWhole: boolean;
  signs: readonly string[];
}>;

/** A list that can be read again and again. */
export type Source<A> = Readonly<{
  name: string;
  read: () => Promise<E.Either<RecordError, Reading<A>>>;
  /** The head as it is now, for one request. */
  look: () => Promise<E.Either<RecordError, Pick<Reading<A>, 'head' | 'date'>>>;
}>;

/** How often a list is read at most. */
const mostReadings = 4;

/** Reads a list until it can be believed. */
export type Settle<A> = () => Promise<E.Either<RecordError, Reading<A>>>;

/**
 * Reads a list again where it shows signs of change. One that shows the same signs twice, with the same rows, is not changing
 * but odd: then it is taken as it is. All calls together read no more than so often.
 */
export const settling = <A>({ name, read }: Source<A>): Settle<A> => {
  let readings = 0;
  let signs: readonly string[] = [];
  return async () => {
    let before: Reading<A> | null = null;
    while (readings < mostReadings) {
      readings += 1;
      const reading = await read();
      if (E.isLeft(reading)) return reading;
      const now = reading.right;
      if (now.signs.length === 0 || (before !== null && isSame(before, now))) {
        signs = ['its beginning has changed by the time that the rest was read'];
        return reading;
      }
      before = now;
      signs = now.signs;
    }
    return E.left({ _tag: 'KeepsChanging', list: name, readings, signs });
  };
};

const isSame = <A>(left: Reading<A>, right: Reading<A>): boolean =>
  left.isWhole &&
  canonicalJson(left.signs) === canonicalJson(right.signs) &&
  canonicalJson(left.rows) === canonicalJson(right.rows);
