import * as E from '#fp-ts/Either';
import * as TE from '#fp-ts/TaskEither';
import { hashPassword } from '../accounts/hash-password.js';
import { failingStorage, type StorageState } from '../in-process/failing-storage.js';
import { type LiveControls, liveControls } from '../in-process/live-controls.js';
import { madeCredentials } from '../in-process/made-credentials.js';
import { type OnDemandControls, onDemandControls } from '../in-process/on-demand-controls.js';
import { type Tenant, tenantsWithCredentials } from '../in-process/tenant.js';
import { TriageApiError } from '../in-process/triage-api-error.js';
import { sampleCredentials } from '../live-fixtures/sample-credentials.js';
import { openFixtures } from '../server/fixture-backend.js';
import { type StartError, startServer } from '../server/start-server.js';
import { defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import type { RateLimit } from '../simulation/rate-limit.js';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { loadFixtures } from './load-fixtures.js';
import { loadProviderStates } from './load-provider-states.js';
import { loadScenario } from './load-scenario.js';
import type { GivenFixtures, TriageApiOptions } from './options.js';

/** What a test can change while the server runs. */
export type ServedControls = Readonly<{
  clock: SimulatedClock;
  storageState: () => StorageState;
  simulation: Simulation;
  rateLimit: RateLimit | null;
}>;

/** A server that a test has started. */
export type Started = Readonly<{
  url: string;
  /** The tenants that are served now. */
  tenants: () => readonly Tenant[];
  live: LiveControls<GivenFixtures>;
  onDemand: OnDemandControls;
  /** Throws a `TriageApiError` once `stop` was called. */
  assertRunning: () => void;
  stop: () => Promise<void>;
}>;

/** How long `stop` waits for responses that are almost sent, in milliseconds. */
const gracePeriod = 50;

/** The cheapest parameters of scrypt: tests need no protection from guessing. */
const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

const defaultBounds = {
  maxTenants: defaultTenantLimits.maxTenants,
  maxTenantRows: defaultTenantLimits.maxRows,
};

/** A limit that no test reaches. */
const unlimited = 1_000_000;

/** Serves the fixtures of the options. `left`: one line for each problem. */
export const serveFixtures = async (
  options: TriageApiOptions,
  { clock: simulated, storageState, simulation, rateLimit }: ServedControls,
): Promise<E.Either<readonly string[], Started>> => {
  const { strict = true, delay = 0, port = 0, log = () => {}, onRequest = () => {} } = options;
  const clock = simulated.now;
  const fixtures = await loadFixtures(options.fixtures);
  if (E.isLeft(fixtures)) return fixtures;
  const scenario = await loadScenario(options.scenario);
  if (E.isLeft(scenario)) return scenario;
  const providerStates = await loadProviderStates(options.providerStates);
  if (E.isLeft(providerStates)) return providerStates;
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
      providerStates: providerStates.right,
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
  const server = await startServer({
    ...backend,
    live,
    storage: failingStorage(backend.storage, storageState),
    clock,
    elapsed: () => performance.now(),
    log,
    logAccess: ({ method, url, status, milliseconds }) => onRequest({ method, url, status, milliseconds }),
    strict,
    delay: () => delay,
    simulation,
    rateLimit,
    port,
    hashPassword: hashCheaply,
    limits: {
      loginsPerAccount: unlimited,
      loginsPerAccountAnywhere: unlimited,
      loginsPerAddress: unlimited,
      allLoginsPerAddress: unlimited,
      signUpsPerAddress: unlimited,
    },
    hashingLimits: { atOnce: unlimited, waiting: unlimited, waitingPerAddress: unlimited },
  })();
  if (E.isLeft(server)) return E.left([formatStartError(server.left, port)]);
  const { url, stop } = server.right;
  let isStopped = false;
  const assertRunning = (): void => {
    if (isStopped) throw new TriageApiError(['the server has been stopped']);
  };
  return E.right({
    url,
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
    assertRunning,
    stop: () => {
      isStopped = true;
      return stop(gracePeriod);
    },
  });
};

const formatStartError = (error: StartError, port: number): string =>
  error._tag === 'AssetsMissing'
    ? error.reason
    : `cannot listen on ${port === 0 ? 'a free port' : `port ${port}`} of 127.0.0.1: ${error.cause.message}`;
