import * as E from '#fp-ts/Either';
import * as TE from '#fp-ts/TaskEither';
import { failingStorage } from '../in-process/failing-storage.js';
import { liveControls } from '../in-process/live-controls.js';
import { madeCredentials } from '../in-process/made-credentials.js';
import { onDemandControls } from '../in-process/on-demand-controls.js';
import { type Tenant, tenantsWithCredentials } from '../in-process/tenant.js';
import { sampleCredentials } from '../live-fixtures/sample-credentials.js';
import { openFixtures } from '../server/fixture-backend.js';
import { defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { loadFixtures } from './load-fixtures.js';
import { loadScenario } from './load-scenario.js';
import type { TriageApiOptions } from './options.js';
import { hashCheaply, type ServedControls, type Started, startTestServer } from './start-test-server.js';

/** A limit that no test reaches. */
const unlimited = 1_000_000;

const defaultBounds = {
  maxTenants: defaultTenantLimits.maxTenants,
  maxTenantRows: defaultTenantLimits.maxRows,
};

/** Serves the fixtures of the options. `left`: one line for each problem. */
export const serveFixtures = async (
  options: TriageApiOptions,
  controls: ServedControls,
): Promise<E.Either<readonly string[], Started>> => {
  const { log = () => {} } = options;
  const { clock: simulated } = controls;
  const clock = simulated.now;
  const fixtures = await loadFixtures(options.fixtures);
  if (E.isLeft(fixtures)) return fixtures;
  const scenario = await loadScenario(options.scenario);
  if (E.isLeft(scenario)) return scenario;
  const { maxTenants, maxTenantRows: maxRows } = { ...defaultBounds, ...options };
  const opened = await openFixtures(
    {
      read: TE.fromEither(fixtures),
      withSamples: false,
      showPasswords: true,
      arePublished: false,
      state: undefined,
      maxSignUps: unlimited,
      scenario: scenario.right,
      tenantLimits: { maxTenants, maxRows },
    },
    { clock, simulated, log, hashPassword: hashCheaply },
  );
  if (E.isLeft(opened)) return opened;
  const { live, ...backend } = opened.right;
  const made = madeCredentials({ storage: backend.storage, clock });
  let tenants: readonly Tenant[] = [];
  /** Finds or makes the credentials of these fixtures. */
  const serveTenants = async (served: readonly Fixture[]): Promise<E.Either<readonly string[], void>> => {
    const userIds = served.map(({ dataset }) => dataset.user.id);
    const samples = await sampleCredentials({ storage: backend.storage, clock }, served, false);
    const found = await tenantsWithCredentials(made, userIds, samples)();
    if (E.isLeft(found)) return E.left([found.left]);
    tenants = found.right;
    return E.right(undefined);
  };
  const served = await serveTenants(fixtures.right);
  if (E.isLeft(served)) {
    await backend.close();
    return served;
  }
  const server = await startTestServer(options, controls, {
    ...backend,
    live,
    storage: failingStorage(backend.storage, controls.storageState),
  });
  if (E.isLeft(server)) return server;
  const { assertRunning } = server.right;
  return E.right({
    ...server.right,
    tenants: () => tenants,
    live: liveControls({
      load: loadFixtures,
      live,
      made,
      serveTenants,
      tenants: () => tenants,
      assertRunning,
    }),
    onDemand: onDemandControls(live, assertRunning),
  });
};
