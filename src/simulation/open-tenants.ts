import { randomBase64url } from '#platform';
import { type FixtureDependencies, fixtureStorage } from '../fixtures/fixture-storage.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { memoryStateStore } from '../fixtures/state-store.js';
import { type LiveDependencies, liveFixtures } from './live-fixtures.js';

type Settings = Omit<FixtureDependencies, 'clock' | 'stateStore'> &
  Omit<LiveDependencies, 'storage' | 'onChange' | 'closing'> &
  Partial<Pick<FixtureDependencies, 'stateStore'> & Pick<LiveDependencies, 'onChange'>> &
  Readonly<{
    /** When data with `asOf` looks as it did then; default: now. */
    loadedAt?: number;
    /** Nothing is changed any more once it is aborted, which `close` does. */
    closing?: AbortController;
  }>;

/** Opens the tenants of fixtures: their storage, and what changes them. */
export const openTenants = (
  fixtures: readonly Fixture[],
  { clock, loadedAt = clock.now(), closing = new AbortController(), ...settings }: Settings,
) => {
  const { stateStore = memoryStateStore(), onChange = () => {} } = settings;
  const opened = fixtureStorage(
    { ...settings, clock: clock.now, stateStore },
    fixtures.map(({ dataset }) => dataset),
    loadedAt,
  );
  // What visitors change, such as their accounts, does not count.
  let changes = { since: randomBase64url(6), count: 0 };
  const live = liveFixtures(
    {
      ...settings,
      clock,
      storage: opened,
      closing: closing.signal,
      onChange: (served) => {
        changes = { ...changes, count: changes.count + 1 };
        onChange(served);
      },
    },
    fixtures,
    loadedAt,
  );
  return {
    storage: opened.storage,
    live,
    dates: opened.dates,
    saveTokenUses: opened.close,
    /** How often the fixtures or the clock have changed, since an opening that has a random name. */
    changes: {
      count: () => changes,
      /** Goes on from the count that another run has left. */
      resume: (count: typeof changes): void => {
        changes = count;
      },
      version: () => `${changes.since}-${changes.count}`,
      problems: () => null,
    },
    close: async (): Promise<void> => {
      closing.abort();
      await live.close();
      await opened.close();
    },
  };
};
