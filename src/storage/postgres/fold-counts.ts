import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { nullable } from '../../codecs/nullable.js';
import type { Log } from '../../common/log.js';
import type { StorageError } from '../port.js';
import type { Database } from './database.js';
import { decodeResult } from './decode-result.js';

/** How often changes of counts are folded, in milliseconds. Until then, each read adds them up. */
const interval = 1000;

/** The maximum number of changes per statement, which must end well within the time limit of a statement. */
const maxChanges = 20_000;

const Folded = t.strict({ last: nullable(t.string), folded: t.string }, 'folded changes');
type Folded = t.TypeOf<typeof Folded>;

/** Folds changes of the tenants after `last`. */
const foldSome = (
  database: Pick<Database, 'query'>,
  last: string | null,
): TE.TaskEither<StorageError, Folded> =>
  pipe(
    database.query({
      text: 'SELECT last, folded FROM triage.fold_counts($1, $2)',
      values: [last, maxChanges],
    }),
    TE.flatMapEither(([row]) => decodeResult(Folded, 'fold_counts')(row)),
  );

/**
 * Folds the changes of every tenant, a part of each in turn, until a round finds none. Other processes may be
 * at it, too: what they have begun is left to them.
 */
export const foldCounts =
  (
    database: Pick<Database, 'query'>,
    isStopped: () => boolean = () => false,
  ): TE.TaskEither<StorageError, void> =>
  async () => {
    let last: string | null = null;
    let foldedInRound = 0;
    while (!isStopped()) {
      const some: E.Either<StorageError, Folded> = await foldSome(database, last)();
      if (E.isLeft(some)) return some;
      last = some.right.last;
      foldedInRound += Number(some.right.folded);
      if (last !== null) continue;
      if (foldedInRound === 0) break;
      foldedInRound = 0;
    }
    return E.right(undefined);
  };

/**
 * Folds the changes of counts in the background until it is stopped. Any number of processes may do so on one
 * database: whoever comes second to a tenant leaves it to the first.
 */
export const foldCountsInBackground = (
  primary: Database,
  log: Log,
  /** Folds until nothing is left; the default does so on a single server. */
  fold: (isStopped: () => boolean) => TE.TaskEither<StorageError, void> = (isStopped) =>
    foldCounts(primary, isStopped),
): Readonly<{ stop: () => Promise<void> }> => {
  let isStopped = false;
  let wake = (): void => {};
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const folded = await fold(() => isStopped)();
      if (E.isLeft(folded)) log('debug', 'counts were not folded', { error: folded.left._tag });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, interval);
        timer.unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (isStopped) wake();
      });
    }
  };
  const running = run();
  return {
    stop: () => {
      isStopped = true;
      wake();
      return running;
    },
  };
};
