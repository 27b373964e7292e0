import { dirname, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { hashPassword } from '../accounts/hash-password.js';
import { hashSecret } from '../accounts/hash-secret.js';
import type { DemoAccount } from '../pages/start-page.js';
import type { TenantRows } from '../records/dataset.js';
import { fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import { type FixtureProblems, readFixtures } from '../storage/fixtures/read-directory.js';
import { keepInFile, keepInMemory } from '../storage/fixtures/state-keeper.js';
import type { Storage } from '../storage/port.js';
import type { Clock } from '../vocabulary/clock.js';
import type { Log } from '../vocabulary/log.js';
import { demoAccounts } from './demo-accounts.js';
import { demoTemplate, isDemo } from './demo-template.js';
import { shippedFixtures } from './shipped-fixtures.js';
import { type TenantSample, tenantSamples } from './working-credentials.js';

type Settings = Readonly<{ directory: string; host: string; state: string | undefined; maxSignups: number }>;

/** A directory of fixtures that is being served. What it holds in clear text is let go, but for what is shown to people. */
export type OpenFixtures = Readonly<{
  storage: Storage;
  /** Credentials to try, for the list that is printed at the start. */
  samples: readonly TenantSample[];
  /** The accounts that the start page offers. */
  demoAccounts: () => readonly DemoAccount[];
  /** The rows that new accounts begin with, as they should look at that moment. */
  demo: (now: number) => TenantRows;
  /** Reads the directory again, and tells how many tenants it has; with problems, what was served before stays. */
  reload: () => Promise<E.Either<FixtureProblems, number>>;
  /** Keeps what is not kept yet, and gives up what is still going on in the background. */
  close: () => Promise<void>;
}>;

/** Reads fixtures, and the state that belongs to them; `left`: all that is wrong, a line each. */
export const openFixtures = async (
  { directory, host, state, maxSignups }: Settings,
  { clock, log }: Readonly<{ clock: Clock; log: Log }>,
): Promise<E.Either<FixtureProblems, OpenFixtures>> => {
  if (state !== undefined && dirname(resolve(state)) === resolve(directory)) {
    return E.left([`${state}: expected a state file outside of the fixtures, got one among them`]);
  }
  const first = await readFixtures(directory)();
  if (E.isLeft(first)) return first;
  const shipped = first.right.some(isDemo) ? first : await readFixtures(shippedFixtures)();
  if (E.isLeft(shipped)) return shipped;
  const keeper = state === undefined ? E.right(keepInMemory()) : await keepInFile(state)();
  if (E.isLeft(keeper)) return keeper;

  const { storage, replace, close } = fixtureStorage(
    { clock, log, keeper: keeper.right, mostSignUps: maxSignups, hashSecret, hashPassword },
    first.right.map(({ dataset }) => dataset),
  );
  let template = demoTemplate(shipped.right);
  let accounts = demoAccounts(first.right, directory, host);
  return E.right({
    storage,
    close,
    samples: await tenantSamples({ storage, clock }, first.right),
    demoAccounts: () => accounts,
    demo: (now) => template(now),
    reload: async () => {
      const changed = await readFixtures(directory)();
      if (E.isLeft(changed)) return changed;
      replace(changed.right.map(({ dataset }) => dataset));
      if (changed.right.some(isDemo)) template = demoTemplate(changed.right);
      accounts = demoAccounts(changed.right, directory, host);
      return E.right(changed.right.length);
    },
  });
};
