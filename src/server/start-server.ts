import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type AttemptLimits, attemptLimiter } from '../accounts/attempt-limiter.js';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import { defaultHashingLimits, type HashingLimits, hashingQueue } from '../accounts/hashing-queue.js';
import { nonePublished, type PublishedAccounts } from '../accounts/published-accounts.js';
import { isLoopback } from '../common/is-loopback.js';
import { allowedHosts, anyHost } from '../http/allowed-hosts.js';
import { type AppDependencies, createApp } from '../http/app.js';
import { type ConnectionLimits, defaultConnectionLimits } from '../http/connection-limits.js';
import { listen } from '../http/listen.js';
import { type ObserveCalls, observedStorage } from '../storage/observed-storage.js';
import { logStorageOutages } from './storage-outages.js';
import { readSwaggerUi } from './swagger-ui.js';

/** Opened data: a storage, and what the pages and new accounts need to know about it. */
export type Backend = Pick<AppDependencies, 'storage' | 'mode' | 'demoAccounts'> &
  Partial<PublishedAccounts> &
  Partial<Pick<AppDependencies, 'hasReloadFailed' | 'live'>> &
  Readonly<{
    /** The rows of new accounts, with dates relative to the given moment. */
    demo: AppDependencies['accounts']['demo'];
    /** Saves pending changes and stops background work. */
    close: () => Promise<void>;
  }>;

type Required = Pick<Backend, 'storage'> & Pick<AppDependencies, 'clock' | 'elapsed'>;

type Optional = Omit<Backend, 'storage'> &
  Omit<
    AppDependencies,
    'accounts' | 'isDraining' | 'isAllowedHost' | 'adminAccess' | keyof Backend | keyof Required
  > &
  AppDependencies['accounts'] &
  Readonly<{
    host: string;
    port: number;
    limits: AttemptLimits;
    hashingLimits: HashingLimits;
    connectionLimits: Partial<ConnectionLimits>;
    /**
     * Hosts, besides those of loopback, that requests may be for. An empty list has no effect unless the
     * server is bound to a loopback address. Null: requests may be for any host.
     */
    allowedHosts: readonly string[] | null;
    /** The bearer token that opens the mock controls to clients on other machines; null: nothing does. */
    adminToken: string | null;
    /** Observes every call of the storage; null: nobody does. */
    observeCalls: ObserveCalls | null;
  }>;

/**
 * What a server is made of. By default, it serves fixtures on a free port of 127.0.0.1, logs nothing, delays
 * nothing, ignores unknown query parameters, and new accounts start empty.
 */
export type ServerConfig = Required & Partial<Optional>;

/** A server that accepts requests. */
export type RunningServer = Readonly<{
  /** The address it is bound to, as the system writes it. */
  address: string;
  port: number;
  /** The base URL for clients on this machine if it is bound to 127.0.0.1. */
  url: string;
  /**
   * Announces that the server will stop: it is no longer ready, and closes each connection after the next
   * response. It still answers every request.
   */
  drain: () => void;
  /** How many connections are open. */
  connections: () => number;
  /**
   * Stops accepting requests, waits at most `gracePeriod` milliseconds for those in flight, cuts off the
   * others, and closes the backend.
   */
  stop: (gracePeriod: number) => Promise<void>;
}>;

/** Why a server could not start. */
export type StartError =
  | Readonly<{ _tag: 'AssetsMissing'; reason: string }>
  | Readonly<{ _tag: 'CannotListen'; cause: NodeJS.ErrnoException }>;

/** The limits of `serve` if none are given. */
export const defaultLimits: AttemptLimits = {
  loginsPerAccount: 10,
  loginsPerAccountAnywhere: 200,
  loginsPerAddress: 30,
  allLoginsPerAddress: 300,
  signUpsPerAddress: 60,
};

/** How much of what has been rendered is kept if nothing is said, in bytes. */
export const defaultRenderCache = 256 * 2 ** 20;

const noRows = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };

/** Both observers of calls, or the first one alone. */
const bothOf = (first: ObserveCalls, second: ObserveCalls | null): ObserveCalls => {
  if (second === null) return first;
  return (call) => {
    const [endFirst, endSecond] = [first(call), second(call)];
    return (failure) => {
      endFirst(failure);
      endSecond(failure);
    };
  };
};

/** Starts the API and the web flows over a backend. If it fails, it closes the backend. */
export const startServer =
  ({
    storage: opened,
    clock,
    elapsed,
    log = () => {},
    logAccess = null,
    observeRequests = null,
    observeCalls = null,
    onSecurityEvent = () => {},
    strict = false,
    delay = () => 0,
    renderCache = defaultRenderCache,
    corsOrigins = [],
    localhostCors = true,
    crossSiteCookies = false,
    allowedHosts: listedHosts = null,
    connectionLimits = {},
    trustProxy = false,
    mode = 'fixtures',
    demoAccounts = () => [],
    hasReloadFailed = () => false,
    readyTimeout = 1000,
    simulation = null,
    live = null,
    adminToken = null,
    rateLimit = null,
    demo = () => noRows,
    limits = defaultLimits,
    hashingLimits = defaultHashingLimits,
    isPublished = nonePublished.isPublished,
    isPublishedSession = nonePublished.isPublishedSession,
    close = async () => {},
    host = '127.0.0.1',
    port = 0,
    ...given
  }: ServerConfig): TaskEither<StartError, RunningServer> =>
  async () => {
    const fail = async (error: StartError): Promise<E.Either<StartError, never>> => {
      await close();
      return E.left(error);
    };
    const swaggerUi = given.swaggerUi === undefined ? readSwaggerUi() : E.right(given.swaggerUi);
    if (E.isLeft(swaggerUi)) return fail({ _tag: 'AssetsMissing', reason: swaggerUi.left });
    let isDraining = false;
    // The address is only known when the server listens, and no request comes before.
    let isAllowedHost = anyHost;
    const storage = observedStorage(opened, bothOf(logStorageOutages(log, elapsed), observeCalls));
    const app = createApp({
      storage,
      clock,
      elapsed,
      log,
      logAccess,
      observeRequests,
      onSecurityEvent,
      hasReloadFailed,
      readyTimeout,
      simulation,
      live,
      // Whoever names hosts has others reach the server, which then seem to be on this machine.
      adminAccess: { token: adminToken, isProxied: trustProxy || (listedHosts ?? []).length > 0 },
      rateLimit,
      strict,
      delay,
      renderCache,
      corsOrigins,
      localhostCors,
      crossSiteCookies,
      isAllowedHost: (name) => isAllowedHost(name),
      trustProxy,
      mode,
      demoAccounts,
      swaggerUi: swaggerUi.right,
      isDraining: () => isDraining,
      accounts: {
        attempts: given.attempts ?? attemptLimiter(limits),
        hashing: given.hashing ?? hashingQueue(hashingLimits),
        isPublished,
        isPublishedSession,
        hashPassword: given.hashPassword ?? hashPassword,
        isPassword: given.isPassword ?? isPassword,
        demo,
      },
    });
    const listening = await listen(app, {
      host,
      port,
      limits: { ...defaultConnectionLimits, ...connectionLimits },
      log,
    })();
    if (E.isLeft(listening)) return fail({ _tag: 'CannotListen', cause: listening.left });
    const server = listening.right;
    const isRestricted = listedHosts !== null && (listedHosts.length > 0 || isLoopback(server.address));
    if (isRestricted) isAllowedHost = allowedHosts(listedHosts);
    return E.right({
      address: server.address,
      port: server.port,
      url: `http://127.0.0.1:${server.port}`,
      drain: () => {
        isDraining = true;
        server.drain();
      },
      connections: server.connections,
      stop: async (gracePeriod) => {
        simulation?.stop();
        await server.stop(gracePeriod);
        await close();
      },
    });
  };
