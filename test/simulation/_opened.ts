import * as E from 'fp-ts/lib/Either.js';
import { openFixtures } from '../../src/simulation/open-fixtures.js';
import { at, now } from '../_data.js';

type Settings = Parameters<typeof openFixtures>[0];
type Dependencies = Parameters<typeof openFixtures>[1];

/** The value of a result that has to be right. */
export const right = <A>(result: E.Either<unknown, A> | null): A => {
  if (result === null || E.isLeft(result)) throw new Error(JSON.stringify(result));
  return result.right;
};

/** Serves what `read` gives. Unless there are other dependencies, the clock stands still at `now`. */
export const opened = async (
  read: Settings['read'],
  settings: Partial<Settings> = {},
  dependencies: Partial<Dependencies> = {},
) =>
  right(
    await openFixtures(
      { read, showPasswords: true, maxSignUps: 1, ...settings },
      { clock: () => at(now), log: () => {}, ...dependencies },
    ),
  );
