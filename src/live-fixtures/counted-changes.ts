import { randomBase64url } from '#platform';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import type { FixtureStorage } from '../storage/fixtures/fixture-storage.js';

/** A storage and a clock whose changes are counted. */
export type CountedChanges = Readonly<{
  storage: FixtureStorage;
  clock: SimulatedClock | null;
  /** Another text after each change, and in another process: whoever remembers it can tell a change. */
  version: () => string;
}>;

/**
 * Counts what changes the data of fixtures, or the time that they are shown at. What visitors change, such as
 * their accounts, does not count.
 */
export const countedChanges = (storage: FixtureStorage, clock: SimulatedClock | null): CountedChanges => {
  const start = randomBase64url(6);
  let count = 0;
  const changed = (): void => {
    count += 1;
  };
  const { added } = storage;
  return {
    version: () => `${start}-${count}`,
    storage: {
      ...storage,
      replace: (datasets) => {
        storage.replace(datasets);
        changed();
      },
      prepare: async (...next) => {
        const show = await storage.prepare(...next);
        return (
          show &&
          (() => {
            show();
            changed();
          })
        );
      },
      added: {
        ...added,
        replace: async (...next) => {
          const isReplaced = await added.replace(...next);
          if (isReplaced) changed();
          return isReplaced;
        },
      },
    },
    clock: clock && {
      ...clock,
      setMode: (mode) => {
        clock.setMode(mode);
        changed();
      },
    },
  };
};
