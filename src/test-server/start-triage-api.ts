import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { hashPassword } from '../accounts/hash-password.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { shownTarget } from '../http/access-log.js';
import { openFixtures } from '../server/fixture-backend.js';
import { sampleCredentials } from '../server/sample-credentials.js';
import { type StartError, startServer } from '../server/start-server.js';
import { JournalFilter, journalEntries } from '../simulation/journal-entry.js';
import { type RateLimit, rateLimit } from '../simulation/rate-limit.js';
import { frozenAt, machineTime, type SimulatedClock, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation, type Simulation } from '../simulation/simulation.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { apiFetch } from './api-fetch.js';
import { failingStorage, StorageState } from './failing-storage.js';
import { type LiveControls, liveControls } from './live-controls.js';
import { loadFixtures } from './load-fixtures.js';
import { loadScenario } from './load-scenario.js';
import { madeCredentials } from './made-credentials.js';
import { MomentOrDate, Options, type TriageApiOptions } from './options.js';
import { decodeOrThrow, rightOrThrow } from './or-throw.js';
import { type Tenant, tenantsWithCredentials } from './tenant.js';
import type { TriageApi } from './triage-api.js';

/**
 * Starts a server of the API v1 and its web flows in this process, on a free port of 127.0.0.1. Servers share
 * nothing. Rejects with a `TriageApiError` that lists all problems of the options and the fixtures: test
 * runners expect rejections, so errors are not returned as values here.
 */
export const startTriageApi = async (options: TriageApiOptions = {}): Promise<TriageApi> => {
  const { now, seed, rateLimit: policy } = decodeOrThrow('options', Options, options);
  const simulation = createSimulation(seed === undefined ? {} : { seed });
  const clock = simulatedClock(
    () => Date.now(),
    now === undefined ? machineTime : frozenAt(millisecondsOf(now)),
  );
  let storageState: StorageState = 'fine';
  const started = await start(options, {
    clock,
    storageState: () => storageState,
    simulation,
    rateLimit: policy === undefined ? null : rateLimit(policy),
  });
  const { url, live, tenants, stop } = rightOrThrow(started);
  const { catchUp, ...controls } = live;
  const tenant: TriageApi['tenant'] = (name) => {
    const found = tenants().find((each) => each.name === name);
    const known = tenants()
      .map((each) => each.name)
      .join(', ');
    return rightOrThrow(
      E.fromNullable([`tenant: expected one of ${known}, got ${JSON.stringify(name)}`])(found),
    );
  };
  const first = (): Tenant => tenant(tenants()[0]?.name ?? '');
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  return {
    url,
    get session() {
      return first().session;
    },
    get token() {
      return first().token;
    },
    get tenants() {
      return tenants();
    },
    tenant,
    fetch: apiFetch({ baseUrl: url, first: () => first().name, sessionOf: (name) => tenant(name).session }),
    ...controls,
    setNow: (moment) => {
      clock.setMode(frozenAt(millisecondsOf(decodeOrThrow('setNow', MomentOrDate, moment))));
      catchUp();
    },
    setStorage: (state) => {
      storageState = decodeOrThrow('setStorage', StorageState, state);
    },
    faults: {
      list: simulation.faults.list,
      remove: simulation.faults.remove,
      clear: simulation.faults.clear,
      add: (rule) =>
        rightOrThrow(
          pipe(
            simulation.faults.add(rule),
            E.mapLeft((problems) => problems.map((problem) => `faults.add: ${problem}`)),
          ),
        ),
    },
    requests: (filter = {}) =>
      journalEntries(simulation.journal, decodeOrThrow('requests', JournalFilter, filter), shownTarget),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
};

/** What a test can change while the server runs. */
type Controls = Readonly<{
  clock: SimulatedClock;
  storageState: () => StorageState;
  simulation: Simulation;
  rateLimit: RateLimit | null;
}>;

type Started = Readonly<{
  url: string;
  /** The tenants that are served now. */
  tenants: () => readonly Tenant[];
  live: LiveControls;
  stop: () => Promise<void>;
}>;

/** How long `stop` waits for responses that are almost sent, in milliseconds. */
const gracePeriod = 50;

/** The cheapest parameters of scrypt: tests need no protection from guessing. */
const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

/** A limit that no test reaches. */
const unlimited = 1_000_000;

/** Starts the server. `left`: one line for each problem. */
const start = async (
  options: TriageApiOptions,
  { clock: simulated, storageState, simulation, rateLimit }: Controls,
): Promise<E.Either<readonly string[], Started>> => {
  const { strict = true, delay = 0, port = 0, log = () => {}, onRequest = () => {} } = options;
  const clock = simulated.now;
  const fixtures = await loadFixtures(options.fixtures);
  if (E.isLeft(fixtures)) return fixtures;
  const scenario = await loadScenario(options.scenario);
  if (E.isLeft(scenario)) return scenario;
  const opened = await openFixtures(
    {
      read: TE.fromEither(fixtures),
      withSamples: false,
      showPasswords: true,
      arePublished: false,
      state: undefined,
      maxSignUps: unlimited,
      scenario: scenario.right,
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
  return E.right({
    url,
    tenants: () => tenants,
    live: liveControls({ live, made, serveTenants, tenants: () => tenants }),
    stop: () => stop(gracePeriod),
  });
};

const formatStartError = (error: StartError, port: number): string =>
  error._tag === 'AssetsMissing'
    ? error.reason
    : `cannot listen on ${port === 0 ? 'a free port' : `port ${port}`} of 127.0.0.1: ${error.cause.message}`;
