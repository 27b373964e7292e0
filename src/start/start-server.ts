import { setMaxListeners } from 'node:events';
import * as E from '#fp-ts/Either';
import { type AccountDependencies, nonePublished, type PublishedAccounts } from '../accounts/account-flow.js';
import type { Storage } from '../accounts/account-storage.js';
import { noDemoAccounts } from '../accounts/demo-rows.js';
import {
  attemptLimiter,
  defaultAttemptLimits,
  defaultHashingLimits,
  hashingQueue,
} from '../accounts/login-limits.js';
import { hashPassword, isPassword } from '../accounts/passwords.js';
import {
  type CallFailure,
  type ObserveCalls,
  observedStorage,
  type StorageCall,
} from '../accounts/storage-calls.js';
import { type RoomForAnswers, roomForAnswers } from '../api/kept-answers.js';
import type { Ready } from '../api/storage-port.js';
import type { Clock } from '../common/clock.js';
import { settledWithin } from '../common/concurrency.js';
import { isLoopback } from '../common/is-loopback.js';
import type { Log, LogLevel } from '../common/log.js';
import { allowedHosts, anyHost } from '../common/own-hosts.js';
import { seededRandom } from '../common/seeded-random.js';
import { isFromThisMachine } from '../koa/admin-guard.js';
import { type AppDependencies, createApp } from '../koa/app.js';
import { compression } from '../koa/compression.js';
import { type ConnectionLimits, defaultConnectionLimits } from '../koa/connections.js';
import { allowedOrigins } from '../koa/cors.js';
import { type Listening, listen, type TlsCertificate } from '../koa/listen.js';
import type { ExploreDependencies } from '../pages/explorer-routes.js';
import { isQuiet } from '../pages/paths.js';
import { webPages } from '../pages/web.js';
import { allRows } from './all-rows.js';
import { compose, type ServiceDependencies } from './compose.js';
import type { HealthDependencies } from './health.js';

/** What the service, its pages and its door are told. */
export type ServerDependencies = Omit<ServiceDependencies, 'compression' | 'isAllowedOrigin'> &
  Omit<HealthDependencies, 'storage'> &
  Pick<ExploreDependencies, 'changes'> &
  Omit<AppDependencies, 'isAllowedOrigin' | 'isQuiet'> &
  Readonly<{
    /** Whether JSON and assets are compressed for clients that accept it. */
    compression: boolean;
    /** Origins whose pages may read responses. */
    corsOrigins: readonly string[];
    /** Whether pages of origins on this machine may read responses, too. */
    localhostCors: boolean;
  }>;

/** Opened data: a storage, and what the pages and new accounts need to know about it. */
export type Backend = Pick<ServerDependencies, 'storage' | 'mode' | 'demoAccounts'> &
  Partial<Pick<ServerDependencies, 'hasReloadFailed' | 'live' | 'changes'>> &
  Pick<AccountDependencies, 'demo'> &
  Partial<PublishedAccounts & Pick<AccountDependencies, 'personas'>> &
  Readonly<{
    /** Saves pending changes and stops background work. */
    close: () => Promise<void>;
  }>;

type Required = Pick<ServerDependencies, 'storage' | 'clock' | 'elapsed'>;

type Optional = Omit<Backend, 'storage'> &
  Omit<
    ServerDependencies,
    | 'accounts'
    | 'room'
    | 'isDraining'
    | 'isAllowedHost'
    | 'isLocal'
    | 'adminAccess'
    | keyof Backend
    | keyof Required
  > &
  ServerDependencies['accounts'] &
  Readonly<{
    /** How much memory kept answers may take, in bytes: about. */
    renderCache: number;
    host: string;
    port: number;
    connectionLimits: Partial<ConnectionLimits>;
    /**
     * Hosts, besides those of loopback, that requests may be for. An empty list has no effect unless the
     * server is bound to a loopback address. Null: requests may be for any host.
     */
    allowedHosts: readonly string[] | null;
    /** The bearer token that opens the mock controls to clients on other machines; null: nothing does. */
    adminToken: string | null;
    /** What encrypts the connections; null: nothing does. */
    tls: TlsCertificate | null;
    /** How long `/readyz` waits for the storage, in milliseconds. */
    readyTimeout: number;
    /** Observes every call of the storage; null: nobody does. */
    observeCalls: ObserveCalls | null;
  }>;

/**
 * What a server is made of. By default, it serves fixtures on a free port of 127.0.0.1, logs nothing, delays
 * and compresses nothing, ignores unknown query parameters, and new accounts start empty.
 */
export type ServerConfig = Required & Partial<Optional>;

/**
 * A server that accepts requests. Once it drains, it is no longer ready, and still answers every request. To
 * stop, it waits for requests in flight, cuts off those that take too long, and closes the backend.
 */
export type RunningServer = Listening &
  Readonly<{
    /** The base URL for clients on this machine if it is bound to 127.0.0.1, with the base path. */
    url: string;
    /** How kept answers are used. */
    keptAnswers: RoomForAnswers['figures'];
  }>;

/** What a server does that was not told otherwise. */
const defaults = {
  log: () => {},
  logAccess: null,
  observeRequests: null,
  observeCalls: null,
  onSecurityEvent: () => {},
  strict: false,
  delay: null,
  renderCache: 256 * 2 ** 20,
  compression: false,
  basePath: '',
  hasPages: true,
  corsOrigins: [],
  localhostCors: true,
  crossSiteCookies: false,
  allowedHosts: null,
  connectionLimits: {},
  trustProxy: false,
  mode: 'fixtures',
  demoAccounts: () => noDemoAccounts,
  explorer: true,
  hasReloadFailed: () => false,
  readyTimeout: 1000,
  simulation: null,
  live: null,
  changes: null,
  adminToken: null,
  rateLimit: null,
  demo: () => ({ repos: [], scans: [], fixDrafts: [], pullRequests: [] }),
  personas: () => null,
  hashPassword,
  isPassword,
  ...nonePublished,
  close: async () => {},
  host: '127.0.0.1',
  port: 0,
  tls: null,
} satisfies Partial<Optional>;

/** Starts the API and the web flows over a backend. `left`: why it cannot listen; the backend is closed. */
export const startServer = async (
  config: ServerConfig,
): Promise<E.Either<NodeJS.ErrnoException, RunningServer>> => {
  const given = { ...defaults, ...config, clock: config.live?.now ?? config.clock };
  const { log, elapsed, trustProxy, adminToken, simulation, tls, close } = given;
  let isDraining = false;
  // The address is only known when the server listens, and no request comes before.
  let isAllowedHost = anyHost;
  let isForThisMachine = false;
  const listedHosts = given.allowedHosts;
  // Named hosts mean that a proxy may pass requests on, which then seem to come from this machine.
  const isProxied = trustProxy || (listedHosts ?? []).length > 0;
  const ready = readyWithin(given.readyTimeout, given.storage);
  const logged = observedStorage({ ...given.storage, ready }, logStorageOutages(log, elapsed));
  // Each request that hangs on purpose listens: no leak that Node would have to warn about. What stands for a
  // browser in tests has signals of its own, without such a limit.
  if (simulation !== null) E.tryCatch(() => setMaxListeners(0, simulation.stopping), String);
  const room = roomForAnswers(given.renderCache);
  const dependencies = {
    ...given,
    room,
    storage: given.observeCalls === null ? logged : observedStorage(logged, given.observeCalls),
    compression: given.compression ? compression : null,
    isAllowedOrigin: allowedOrigins(given.corsOrigins, given.localhostCors),
    isDraining: () => isDraining,
    accounts: {
      ...given,
      attempts: given.attempts ?? attemptLimiter(defaultAttemptLimits, elapsed),
      hashing: given.hashing ?? hashingQueue(defaultHashingLimits, seededRandom(0)),
    },
  };
  const { rows, pagesOf } = allRows(dependencies);
  const service = compose(dependencies, webPages(dependencies, pagesOf), rows);
  const app = createApp(service, {
    ...dependencies,
    isQuiet,
    adminAccess: simulation && { token: adminToken, isProxied },
    isLocal: (request) => isForThisMachine && !isProxied && isFromThisMachine(request),
    isAllowedHost: (name) => isAllowedHost(name),
  });
  const listening = await listen(app, {
    ...given,
    limits: { ...defaultConnectionLimits, ...given.connectionLimits },
  });
  if (E.isLeft(listening)) {
    await close();
    return listening;
  }
  const server = listening.right;
  isForThisMachine = isLoopback(server.address);
  const isRestricted = listedHosts !== null && (listedHosts.length > 0 || isForThisMachine);
  if (isRestricted) isAllowedHost = allowedHosts(listedHosts);
  return E.right({
    ...server,
    keptAnswers: room.figures,
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${server.port}${given.basePath}`,
    drain: () => {
      isDraining = true;
      server.drain();
    },
    stop: async (gracePeriod) => {
      simulation?.stop();
      await server.stop(gracePeriod);
      await close();
    },
  });
};

/** `ready` of a storage that fails when it is late. The storage is not asked again before it has answered. */
export const readyWithin = (timeLimit: number, storage: Pick<Storage, 'ready'>): Storage['ready'] => {
  let asked: Promise<Ready> | null = null;
  const ask = async (): Promise<Ready> => {
    try {
      return await storage.ready();
    } finally {
      asked = null;
    }
  };
  return async () => {
    asked ??= ask();
    const waiting = asked;
    const cause = `there was no answer within ${timeLimit} ms`;
    return (await settledWithin(timeLimit, () => waiting)) ?? E.left({ _tag: 'StorageUnavailable', cause });
  };
};

/** How often failures of the storage are logged at most, in milliseconds. */
const logInterval = 1000;

/** The calls that change something: a storage that is read-only refuses them alone. */
const changes: ReadonlySet<StorageCall> = new Set([
  'signUp',
  'changePassword',
  'deleteAccount',
  'startSession',
  'endSession',
  'addApiToken',
  'revokeApiToken',
]);

/**
 * Logs failures of the storage with their cause, a line a second at most, and the first success of the same
 * kind of call afterwards: a read, a change, or the question whether it is ready. `elapsed`: a monotonic
 * clock in milliseconds.
 */
export const logStorageOutages = (log: Log, elapsed: Clock): ObserveCalls => {
  const logged = new Map<string, number>();
  const outages = new Set<string>();
  return (call) => (failure) => {
    const kind = call === 'ready' ? 'readiness' : changes.has(call) ? 'changes' : 'reads';
    if (failure === null) {
      if (outages.delete(kind)) log('info', 'storage.recovered', { kind });
      return;
    }
    const level = levels[failure._tag];
    const now = elapsed();
    if (level === undefined || now - (logged.get(kind) ?? -logInterval) < logInterval) return;
    logged.set(kind, now);
    outages.add(kind);
    const { _tag: error, ...facts } = failure;
    const cause = 'cause' in failure && textOf(failure.cause, level);
    log(level, 'storage.failed', { kind, error, call, ...facts, ...(cause && { cause }) });
  };
};

const textOf = (cause: unknown, level: LogLevel): string =>
  (level === 'error' && cause instanceof Error && cause.stack) || String(cause);

/** The level of a failure of the storage; others are logged for each request. */
const levels: Readonly<Partial<Record<CallFailure['_tag'], LogLevel>>> = {
  StorageUnavailable: 'warn',
  StorageBusy: 'warn',
  StorageReadOnly: 'warn',
  StorageFailed: 'error',
  SchemaOlder: 'error',
  SchemaNewer: 'error',
};
