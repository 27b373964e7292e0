import * as t from 'io-ts';
import type { TaskEither } from '#fp-ts/TaskEither';
import * as TE from '#fp-ts/TaskEither';
import { listOf } from '../codecs/list.js';
import { Difference } from './diff-report.js';

/** The requests to the two servers, without credentials, and how their responses differed. */
export const SavedComparison = t.strict(
  { left: t.string, right: t.string, differences: listOf(Difference) },
  'saved comparison',
);
export type SavedComparison = t.TypeOf<typeof SavedComparison>;

/** The comparisons of a run, in order, from which an interrupted run continues. */
export type DiffLog = Readonly<{
  /** The comparisons of earlier runs. */
  saved: readonly SavedComparison[];
  /** Saves one more comparison. `left`: why it could not be saved. */
  append: (comparison: SavedComparison) => TaskEither<string, void>;
  /** Discards all comparisons but the first ones. `left`: why it was not possible. */
  keepFirst: (count: number) => TaskEither<string, void>;
}>;

/** For a run that is not to be continued. */
export const noLog: DiffLog = {
  saved: [],
  append: () => TE.right(undefined),
  keepFirst: () => TE.right(undefined),
};
