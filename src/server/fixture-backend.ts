import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { hashSecret } from '../accounts/secrets.js';
import { type FixtureDependencies, fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import type { Fixture, FixtureProblems } from '../storage/fixtures/read-fixtures.js';
import { fileStateStore, memoryStateStore } from '../storage/fixtures/state-store.js';
import type { DemoAccount } from '../web-pages/start-page.js';
import { demoTemplate, isDemoFixture, readShippedDemo } from './demo-data.js';
import { type SampleCredentials, sampleCredentials } from './sample-credentials.js';
import type { Backend } from './start-server.js';

type Settings = Readonly<{
  /** Reads the fixtures. Each reload calls it again. */
  read: TaskEither<FixtureProblems, readonly Fixture[]>;
  /** Whether the start page shows the passwords of the demo accounts. */
  showPasswords: boolean;
  /** The file that keeps sign-ups, sessions and tokens; undefined: they are kept in memory. */
  state: string | undefined;
  maxSignUps: number;
}>;

type Dependencies = Pick<FixtureDependencies, 'clock' | 'log' | 'hashPassword'>;

/** Fixtures that are being served. Secrets in clear text are kept only as far as people are shown them. */
export type FixtureBackend = Backend &
  Readonly<{
    /** Working credentials of each tenant. */
    samples: readonly SampleCredentials[];
    /**
     * Reads the fixtures again. `right`: the number of tenants; `left`: problems, and the previous data
     * stays.
     */
    reload: () => Promise<E.Either<FixtureProblems, number>>;
  }>;

/** Opens fixtures and the state that belongs to them. `left`: one line for each problem. */
export const openFixtures = async (
  { read, showPasswords, state, maxSignUps }: Settings,
  { clock, log, hashPassword }: Dependencies,
): Promise<E.Either<FixtureProblems, FixtureBackend>> => {
  const fixtures = await read();
  if (E.isLeft(fixtures)) return fixtures;
  const own = fixtures.right.find(isDemoFixture);
  const demo = own === undefined ? await readShippedDemo() : E.right(own);
  if (E.isLeft(demo)) return demo;
  const stateStore = state === undefined ? E.right(memoryStateStore()) : await fileStateStore(state)();
  if (E.isLeft(stateStore)) return stateStore;

  const { storage, replace, close } = fixtureStorage(
    { clock, log, stateStore: stateStore.right, maxSignUps, hashSecret, hashPassword },
    fixtures.right.map(({ dataset }) => dataset),
  );
  let hasReloadFailed = false;
  let template = demoTemplate(demo.right);
  let accounts = demoAccountsOf(fixtures.right, showPasswords);
  return E.right({
    storage,
    mode: 'fixtures',
    close,
    hasReloadFailed: () => hasReloadFailed,
    samples: await sampleCredentials({ storage, clock }, fixtures.right),
    demoAccounts: () => accounts,
    demo: (now) => template(now),
    reload: async () => {
      const changed = await read();
      hasReloadFailed = E.isLeft(changed);
      if (E.isLeft(changed)) return changed;
      replace(changed.right.map(({ dataset }) => dataset));
      const changedDemo = changed.right.find(isDemoFixture);
      if (changedDemo !== undefined) template = demoTemplate(changedDemo);
      accounts = demoAccountsOf(changed.right, showPasswords);
      return E.right(changed.right.length);
    },
  });
};

/** How many accounts the start page offers at most. */
const maxDemoAccounts = 10;

const demoAccountsOf = (fixtures: readonly Fixture[], showPasswords: boolean): readonly DemoAccount[] =>
  fixtures.slice(0, maxDemoAccounts).map(({ dataset: { user } }) => ({
    name: user.name,
    email: user.email,
    password: showPasswords ? user.password : null,
  }));
