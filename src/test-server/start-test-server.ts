import * as E from '#fp-ts/Either';
import { hashPassword } from '../accounts/hash-password.js';
import type { StorageState } from '../in-process/failing-storage.js';
import type { LiveControls } from '../in-process/live-controls.js';
import type { OnDemandControls } from '../in-process/on-demand-controls.js';
import type { Tenant } from '../in-process/tenant.js';
import { TriageApiError } from '../in-process/triage-api-error.js';
import type { Backend } from '../server/start-server.js';
import { type StartError, startServer } from '../server/start-server.js';
import type { RateLimit } from '../simulation/rate-limit.js';
import type { SimulatedClock } from '../simulation/simulated-clock.js';
import type { Simulation } from '../simulation/simulation.js';
import type { GivenFixtures, TriageApiOptions } from './options.js';

/** What a test can change while the server runs. */
export type ServedControls = Readonly<{
  clock: SimulatedClock;
  storageState: () => StorageState;
  simulation: Simulation;
  rateLimit: RateLimit | null;
}>;

/** A server that runs in a test. */
type TestServer = Readonly<{
  url: string;
  /** Throws a `TriageApiError` once `stop` was called. */
  assertRunning: () => void;
  stop: () => Promise<void>;
}>;

/** A server that a test has started, with what it serves. */
export type Started = TestServer &
  Readonly<{
    /** The tenants that are served now. */
    tenants: () => readonly Tenant[];
    live: LiveControls<GivenFixtures>;
    onDemand: OnDemandControls;
  }>;

/** How long `stop` waits for responses that are almost sent, in milliseconds. */
const gracePeriod = 50;

/** The cheapest parameters of scrypt: tests need no protection from guessing. */
export const hashCheaply = (password: string) => hashPassword(password, { N: 2, r: 1, p: 1 });

/** A limit that no test reaches. */
const unlimited = 1_000_000;

/** Starts a server over a backend with the options of a test. `left`: why it could not be started. */
export const startTestServer = async (
  { strict = true, delay = 0, port = 0, log = () => {}, onRequest = () => {} }: TriageApiOptions,
  { clock, simulation, rateLimit }: ServedControls,
  backend: Backend,
): Promise<E.Either<readonly string[], TestServer>> => {
  const server = await startServer({
    ...backend,
    clock: clock.now,
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
  return E.right({
    url,
    assertRunning: () => {
      if (isStopped) throw new TriageApiError(['the server has been stopped']);
    },
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
