import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { type AttemptLimits, attemptLimiter } from '../accounts/attempt-limiter.js';
import { noDemoAccounts } from '../accounts/demo-accounts.js';
import { hashPassword, isPassword } from '../accounts/hash-password.js';
import { defaultHashingLimits, hashingQueue } from '../accounts/hashing-queue.js';
import { noPersonas } from '../accounts/personas.js';
import { nonePublished } from '../accounts/published-accounts.js';
import { isLoopback } from '../common/is-loopback.js';
import { isFromThisMachine } from '../http/admin/admin-guard.js';
import { allowedHosts, anyHost } from '../http/allowed-hosts.js';
import { createApp } from '../http/app.js';
import { defaultConnectionLimits } from '../http/connection-limits.js';
import { listen } from '../http/listen.js';
import { type ObserveCalls, observedStorage } from '../storage/observed-storage.js';
import type { ServerConfig } from './server-config.js';
import { logStorageOutages } from './storage-outages.js';
import { readSwaggerUi } from './swagger-ui.js';

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
    compression = false,
    corsOrigins = [],
    localhostCors = true,
    crossSiteCookies = false,
    allowedHosts: listedHosts = null,
    connectionLimits = {},
    trustProxy = false,
    mode = 'fixtures',
    demoAccounts = () => noDemoAccounts,
    explorer = true,
    hasReloadFailed = () => false,
    readyTimeout = 1000,
    simulation = null,
    live = null,
    changes = null,
    adminToken = null,
    rateLimit = null,
    demo = () => noRows,
    personas = noPersonas,
    limits = defaultLimits,
    hashingLimits = defaultHashingLimits,
    isPublished = nonePublished.isPublished,
    isPublishedSession = nonePublished.isPublishedSession,
    close = async () => {},
    host = '127.0.0.1',
    port = 0,
    tls = null,
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
    let isForThisMachine = false;
    const storage = observedStorage(opened, bothOf(logStorageOutages(log, elapsed), observeCalls));
    // Named hosts mean that a proxy may pass requests on, which then seem to come from this machine.
    const isProxied = trustProxy || (listedHosts ?? []).length > 0;
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
      changes,
      adminAccess: { token: adminToken, isProxied },
      isLocal: (request) => isForThisMachine && !isProxied && isFromThisMachine(request),
      rateLimit,
      strict,
      delay,
      renderCache,
      compression,
      corsOrigins,
      localhostCors,
      crossSiteCookies,
      isAllowedHost: (name) => isAllowedHost(name),
      trustProxy,
      mode,
      demoAccounts,
      explorer,
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
        personas,
      },
    });
    const listening = await listen(app, {
      host,
      port,
      limits: { ...defaultConnectionLimits, ...connectionLimits },
      log,
      tls,
    })();
    if (E.isLeft(listening)) return fail({ _tag: 'CannotListen', cause: listening.left });
    const server = listening.right;
    isForThisMachine = isLoopback(server.address);
    const isRestricted = listedHosts !== null && (listedHosts.length > 0 || isLoopback(server.address));
    if (isRestricted) isAllowedHost = allowedHosts(listedHosts);
    return E.right({
      address: server.address,
      port: server.port,
      url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${server.port}`,
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
