import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../src/accounts/account-storage.js';
import type { ReadResult } from '../src/api/storage-port.js';
import type { Dataset } from '../src/fixtures/dataset.js';
import {
  type FixtureDependencies,
  type FixtureStorage,
  fixtureStorage,
} from '../src/fixtures/fixture-storage.js';
import { memoryStateStore } from '../src/fixtures/state-store.js';
import { at, now } from './_data.js';

export { bySession, byToken, hashCheaply } from '../src/storage-kit/conformance/sample-tenants.js';

/** Settings of the storage suite for a machine that is busy. */
export const patient = { timeLimit: 60_000 };

type Overrides = Partial<
  Pick<FixtureDependencies, 'stateStore' | 'clock' | 'maxSignUps'> & Readonly<{ events: string[] }>
>;

/**
 * A fixture storage whose datasets can be replaced. Its clock stands at `now`; `events` collects what it
 * logs.
 */
export const aFixtureStorage = (
  datasets: readonly Dataset[],
  { events, ...over }: Overrides = {},
): FixtureStorage =>
  fixtureStorage(
    {
      clock: () => at(now),
      log: (_, event) => events?.push(event),
      stateStore: memoryStateStore(),
      maxSignUps: 100,
      ...over,
    },
    datasets,
  );

export const aStorage = (datasets: readonly Dataset[], over: Overrides = {}): Storage =>
  aFixtureStorage(datasets, over).storage;

/** What a read finds, with other rows, which have no version. */
export const changed = async <Rows>(
  read: ReadResult<Rows>,
  change: (rows: Rows) => Rows,
): ReadResult<Rows> => {
  const found = await read;
  if (E.isLeft(found) || 'unchanged' in found.right) return found;
  return E.right({ ...found.right, version: null, rows: change(found.right.rows) });
};
