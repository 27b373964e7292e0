import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { type AccountData, nonePublished } from '../accounts/account-flow.js';
import type { Storage } from '../accounts/account-storage.js';
import type { DemoAccounts, Personas } from '../accounts/demo-rows.js';
import type { Log } from '../common/log.js';
import { expectedOneOf } from '../common/messages.js';
import { completeKept } from '../fixtures/complete-fixture.js';
import {
  demoAccountsOf,
  demoTemplate,
  followPersonas,
  personasNamed,
  publishedAccounts,
  type SampleCredentials,
  sampleCredentials,
} from '../fixtures/demo-accounts.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import type { StateLock } from '../fixtures/file-state-store.js';
import type { FixtureDependencies } from '../fixtures/fixture-storage.js';
import { readJsonFile } from '../fixtures/json-file.js';
import { type ShownProblems, shownProblems } from '../fixtures/line-and-column.js';
import {
  type Fixture,
  namesOfJsonFiles,
  readFixtureFile,
  readFixtures,
  shippedFixtures,
} from '../fixtures/read-fixtures.js';
import { memoryStateStore } from '../fixtures/state-store.js';
import { isDemoFixture, scenarioProblems } from './changed-fixtures.js';
import type { LiveDependencies, LiveFixtures } from './live-fixtures.js';
import { defaultTenantLimits } from './on-demand-tenant.js';
import { openTenants } from './open-tenants.js';
import { decodeScenario, type Scenario } from './patches.js';
import { machineTime, type SimulatedClock, simulatedClock } from './simulated-clock.js';

type FixtureSettings = Partial<Pick<LiveDependencies, 'scenario' | 'tenantLimits'>> &
  Readonly<{
    /** Reads the fixtures, at the start and for each reload. */
    read: () => Promise<E.Either<FixtureProblems, readonly Fixture[]>>;
    /** Whether working credentials are asked for, which takes a while; default: false. */
    withSamples?: boolean;
    /** Whether the start page shows the passwords of the demo accounts. */
    showPasswords: boolean;
    /** Whether the fixtures are those of the package, whose accounts are open to everyone; default: false. */
    areShipped?: boolean;
    /** Whether the credentials of the fixtures are public, so that nobody may change them; default: false. */
    arePublished?: boolean;
    /** The folder that keeps sign-ups, sessions and tokens, locked; undefined: they are kept in memory. */
    state?: Readonly<{ folder: string; lock: StateLock }> | undefined;
    /** How many accounts that signed up are kept; left out: 500, or as many as there are in the state. */
    maxSignUps?: number | undefined;
    /** The fixtures whose rows visitors may choose for new accounts; default: none. */
    personas?: readonly string[];
  }>;

type OpenDependencies = Pick<FixtureDependencies, 'clock' | 'log'> &
  Readonly<{
    /**
     * The clock that `clock` tells the time of, to change it and the data at run time. The fixtures then stay
     * in memory, with their secrets in clear text. Null, the default: nothing can be changed.
     */
    simulated?: SimulatedClock | null;
  }>;

/** Fixtures that are being served. Secrets in clear text are kept only as far as people are shown them. */
type FixtureBackend = Readonly<{
  storage: Storage;
  mode: 'fixtures';
  accounts: AccountData;
  demoAccounts: () => DemoAccounts;
  /** Working credentials of each tenant; empty without `withSamples`. */
  samples: readonly SampleCredentials[];
  changes: Readonly<{ version: () => string; problems: () => ShownProblems | null }>;
  /**
   * Reads the fixtures again, and replaces all of them at once. One reload follows the other. `right`: the
   * number of tenants; `left`: problems, and the previous data stays. Null if `close` was called before it
   * was done.
   */
  reload: () => Promise<E.Either<FixtureProblems, number> | null>;
  hasReloadFailed: () => boolean;
  /** Changes the clock and the data; null without a simulated clock. */
  live: LiveFixtures | null;
  /** Saves pending changes and stops background work. */
  close: () => Promise<void>;
}>;

/** All of them are in memory, also those that are kept in files. */
const defaultMaxSignUps = 500;

const tooManyKept = (setting: number | undefined): string =>
  setting === undefined
    ? 'there are more accounts than --max-signups allows by default; all stay, and each new one replaces the oldest'
    : 'there are more accounts than --max-signups allows; each new one replaces up to ten of the oldest';

/** Opens fixtures and the state that belongs to them. `left`: one line for each problem. */
export const openFixtures = async (
  { read, withSamples = false, scenario = [], personas: names = [], ...settings }: FixtureSettings,
  { clock, log, simulated = null }: OpenDependencies,
): Promise<E.Either<FixtureProblems, FixtureBackend>> => {
  const { showPasswords, areShipped = false, arePublished = false, state } = settings;
  const maxSignUps = settings.maxSignUps ?? defaultMaxSignUps;
  const fixtures = await read();
  if (E.isLeft(fixtures)) return fixtures;
  const unplayable = scenarioProblems(scenario, fixtures.right);
  if (unplayable.length > 0) return E.left(unplayable);
  const own = fixtures.right.find(isDemoFixture);
  const demo = own === undefined ? await readShippedDemo() : E.right(own);
  if (E.isLeft(demo)) return demo;
  const personas = followPersonas(names, fixtures.right, { log, maxSignUps });
  if (E.isLeft(personas)) return personas;
  const stateStore = state === undefined ? E.right(memoryStateStore()) : await openState(state, log);
  if (E.isLeft(stateStore)) return stateStore;

  const kept = stateStore.right.current().signedUp.size;
  if (kept > maxSignUps) log('warn', tooManyKept(settings.maxSignUps), { accounts: kept, maxSignUps });
  let problems: ShownProblems | null = null;
  let template = demoTemplate(demo.right);
  let accounts = demoAccountsOf(fixtures.right, { showPasswords, areShipped });
  let published = arePublished ? publishedAccounts(fixtures.right) : nonePublished;
  const onChange = (served: readonly Fixture[]): void => {
    const ownDemo = served.find(isDemoFixture);
    if (ownDemo !== undefined) template = demoTemplate(ownDemo);
    personas.right.follow(served);
    accounts = demoAccountsOf(served, { showPasswords, areShipped });
    if (arePublished) published = publishedAccounts(served);
  };
  const { storage, live, changes, close } = openTenants(fixtures.right, {
    clock: simulated ?? simulatedClock(clock, machineTime),
    log,
    stateStore: stateStore.right,
    // A default must not delete what an earlier setting has kept.
    maxSignUps: settings.maxSignUps ?? Math.max(maxSignUps, kept),
    onChange,
    scenario,
    tenantLimits: settings.tenantLimits ?? defaultTenantLimits,
    keepsFixtures: simulated !== null,
  });
  await live.started;
  return E.right({
    storage,
    mode: 'fixtures',
    close,
    hasReloadFailed: () => problems !== null,
    changes: { ...changes, problems: () => problems },
    samples: withSamples ? await sampleCredentials({ storage, clock }, fixtures.right, showPasswords) : [],
    demoAccounts: () => accounts,
    accounts: {
      isPublished: (userId) => published.isPublished(userId),
      isPublishedSession: (session) => published.isPublishedSession(session),
      demo: (now) => template(now),
      personas: personas.right.personas,
    },
    reload: async () => {
      const reloaded = await live.replace(read);
      if (reloaded !== null) problems = E.isLeft(reloaded) ? await shownProblems(reloaded.left) : null;
      return reloaded;
    },
    live: simulated && live,
  });
};

/** Most servers keep nothing, so what writes files is loaded on demand. */
const openState = async ({ folder, lock }: NonNullable<FixtureSettings['state']>, log: Log) =>
  (await import('../fixtures/file-state-store.js')).fileStateStore(folder, {
    lock,
    log,
    completeKept,
  });

/** The demo fixture of the package. The other, larger ones are not read. */
export const readShippedDemo = (): Promise<E.Either<FixtureProblems, Fixture>> =>
  readFixtureFile(join(shippedFixtures, 'demo.json'));

/** Personas of these names among the fixtures of the package. `left`: every problem. */
export const shippedPersonas = async (
  names: readonly string[],
): Promise<E.Either<FixtureProblems, Personas>> => {
  if (names.length === 0) return E.right(() => null);
  const fixtures = await readFixtures(shippedFixtures);
  if (E.isLeft(fixtures)) return fixtures;
  const { personas, problems } = personasNamed(names, fixtures.right, null);
  return problems.length > 0 ? E.left(problems) : E.right(() => personas);
};

/**
 * Reads a scenario from a file, or one of the package by its name, which has neither a slash nor an
 * extension. `left`: every problem, with its place in the file.
 */
export const readScenarioFile = async (nameOrFile: string): Promise<E.Either<FixtureProblems, Scenario>> => {
  const isShipped = /^[a-z-]+$/.test(nameOrFile);
  const folder = join(shippedFixtures, 'scenarios');
  const known = isShipped ? await namesOfJsonFiles(folder) : [];
  if (isShipped && !known.includes(nameOrFile)) {
    const file = `a file such as ./${nameOrFile}.json`;
    return E.left([`scenario: ${expectedOneOf(nameOrFile, [...known, file])}`]);
  }
  const json = await readJsonFile(isShipped ? join(folder, `${nameOrFile}.json`) : nameOrFile);
  if (E.isLeft(json)) return json;
  const { content, locate } = json.right;
  const decoded = decodeScenario(content);
  return E.isLeft(decoded) ? E.left(locate(decoded.left)) : decoded;
};
