import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { canonicalJson } from '../../common/json.js';
import type { ListReader, ListSnapshot } from './list-readers.js';
import type { RecordError } from './record-error.js';

/** How often a list is read at most. */
const maxReads = 4;

/** A list that is read again until it no longer changes. */
export type StableList<A> = Readonly<{
  name: string;
  snapshot: () => ListSnapshot<A>;
  /** Reads the list unless what was read is still current. */
  refresh: () => Promise<E.Either<RecordError, void>>;
  /** Reads the head again. `right`: whether it is still the one that was read. */
  checkHead: () => Promise<E.Either<RecordError, boolean>>;
}>;

export const stableList = <A>({ name, read, readHead }: ListReader<A>): StableList<A> => {
  let reads = 0;
  let inconsistencies: readonly string[] = [];
  let snapshot: ListSnapshot<A> = { rows: [], head: '', date: null, isComplete: true, inconsistencies: [] };
  let isCurrent = false;

  /**
   * Reads until a snapshot has no inconsistencies, or two in a row are the same: then the server itself is
   * inconsistent, and reading once more would not help. `maxReads` limits all calls together.
   */
  const readUntilStable = async (): Promise<E.Either<RecordError, ListSnapshot<A>>> => {
    let previous: ListSnapshot<A> | null = null;
    while (reads < maxReads) {
      reads += 1;
      const result = await read();
      if (E.isLeft(result)) return result;
      const current = result.right;
      if (current.inconsistencies.length === 0 || (previous !== null && isSame(previous, current))) {
        // A stable list is read again only if `checkHead` finds another head.
        inconsistencies = ['its beginning changed before everything was read'];
        return result;
      }
      previous = current;
      inconsistencies = current.inconsistencies;
    }
    return E.left({ _tag: 'UnstableList', list: name, reads, inconsistencies });
  };

  return {
    name,
    snapshot: () => snapshot,
    refresh: async () => {
      if (isCurrent) return E.right(undefined);
      const result = await readUntilStable();
      if (E.isLeft(result)) return result;
      snapshot = result.right;
      isCurrent = true;
      return E.right(undefined);
    },
    checkHead: async () =>
      pipe(
        await readHead(),
        E.map(({ head, date }) => {
          isCurrent = head === snapshot.head;
          if (isCurrent) snapshot = { ...snapshot, date };
          return isCurrent;
        }),
      ),
  };
};

const isSame = <A>(left: ListSnapshot<A>, right: ListSnapshot<A>): boolean =>
  left.isComplete &&
  canonicalJson(left.inconsistencies) === canonicalJson(right.inconsistencies) &&
  canonicalJson(left.rows) === canonicalJson(right.rows);
