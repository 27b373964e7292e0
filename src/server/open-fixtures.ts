import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { hashSecret } from '../accounts/secrets.js';
import type { DemoAccount } from '../pages/start-page.js';
import type { TenantRows } from '../records/dataset.js';
import { type FixtureDependencies, fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-fixtures.js';
import { fileStateStore, memoryStateStore } from '../storage/fixtures/state-store.js';
import type { Storage } from '../storage/port.js';
import { demoAccounts } from './demo-accounts.js';
import { demoTemplate, isDemo } from './demo-template.js';
import { type SampleCredentials, sampleCredentials } from './sample-credentials.js';
import { shippedDemo } from './shipped-demo.js';

type Settings = Readonly<{
  /** Reads the fixtures; again for each reload. */
  read: TaskEither<FixtureProblems, readonly Fixture[]>;
  /** Whether the start page tells the passwords of the demo accounts. */
  tellPasswords: boolean;
  /** The file in which what comes about is kept; none: in memory. */
  state: string | undefined;
  maxSignups: number;
}>;

type Dependencies = Pick<FixtureDependencies, 'clock' | 'log' | 'hashPassword'>;

/** Fixtures that are being served. What they hold in clear text is let go, but for what is shown to people. */
export type OpenFixtures = Readonly<{
  storage: Storage;
  /** Credentials to try, of each tenant. */
  samples: readonly SampleCredentials[];
  /** The accounts that the start page offers. */
  demoAccounts: () => readonly DemoAccount[];
  /** The rows that new accounts begin with, as they should look at that moment. */
  demo: (now: number) => TenantRows;
  /** Reads the fixtures again, and tells how many tenants they have; with problems, what was served before stays. */
  reload: () => Promise<E.Either<FixtureProblems, number>>;
  /** Keeps what is not kept yet, and gives up what is still going on in the background. */
  close: () => Promise<void>;
}>;

/** Reads fixtures, and the state that belongs to them; `left`: all that is wrong, a line each. */
export const openFixtures = async (
  { read, tellPasswords, state, maxSignups }: Settings,
  { clock, log, hashPassword }: Dependencies,
): Promise<E.Either<FixtureProblems, OpenFixtures>> => {
  const first = await read();
  if (E.isLeft(first)) return first;
  const own = first.right.find(isDemo);
  const demo = own === undefined ? await shippedDemo() : E.right(own);
  if (E.isLeft(demo)) return demo;
  const stateStore = state === undefined ? E.right(memoryStateStore()) : await fileStateStore(state)();
  if (E.isLeft(stateStore)) return stateStore;

  const { storage, replace, close } = fixtureStorage(
    { clock, log, stateStore: stateStore.right, maxSignUps: maxSignups, hashSecret, hashPassword },
    first.right.map(({ dataset }) => dataset),
  );
  let template = demoTemplate(demo.right);
  let accounts = demoAccounts(first.right, tellPasswords);
  return E.right({
    storage,
    close,
    samples: await sampleCredentials({ storage, clock }, first.right),
    demoAccounts: () => accounts,
    demo: (now) => template(now),
    reload: async () => {
      const changed = await read();
      if (E.isLeft(changed)) return changed;
      replace(changed.right.map(({ dataset }) => dataset));
      const changedDemo = changed.right.find(isDemo);
      if (changedDemo !== undefined) template = demoTemplate(changedDemo);
      accounts = demoAccounts(changed.right, tellPasswords);
      return E.right(changed.right.length);
    },
  });
};
