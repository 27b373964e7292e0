import { hashSecret } from '../accounts/secrets.js';
import { inTurn } from '../common/in-turn.js';
import type { Log } from '../common/log.js';
import { type LiveFixtures, liveFixtures } from '../live-fixtures/live-fixtures.js';
import { defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import type { Scenario } from '../simulation/scenario.js';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import { fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { memoryStateStore } from '../storage/fixtures/state-store.js';
import type { Storage } from '../storage/port.js';

type Opened = Readonly<{ storage: Storage; live: LiveFixtures }>;

/** There is no login, so no password is ever hashed. */
const noPasswords = (): Promise<never> => Promise.reject(new Error('a handler has no login'));

/** Opens fixtures that are given as values, in memory. */
export const openFixtures = (
  fixtures: readonly Fixture[],
  scenario: Scenario,
  clock: SimulatedClock,
  log: Log,
): Opened => {
  const startedAt = clock.now();
  const opened = fixtureStorage(
    {
      clock: clock.now,
      log,
      stateStore: memoryStateStore(),
      maxSignUps: 0,
      hashSecret,
      hashPassword: noPasswords,
    },
    fixtures.map(({ dataset }) => dataset),
    startedAt,
  );
  const live = liveFixtures(
    {
      clock,
      log,
      storage: opened,
      inTurn: inTurn(),
      onChange: () => {},
      closing: new AbortController().signal,
      scenario,
      tenantLimits: defaultTenantLimits,
    },
    fixtures,
    startedAt,
  );
  return { storage: opened.storage, live };
};
