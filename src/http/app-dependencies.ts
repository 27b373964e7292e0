import type { IncomingMessage } from 'node:http';
import type { DemoAccounts } from '../accounts/demo-accounts.js';
import type { AccountDependencies } from '../accounts/dependencies.js';
import type { SecurityEvent } from '../accounts/security-event.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import type { ServerMode } from '../pages/layout.js';
import type { ReadAsset } from '../pages/paths.js';
import type { LiveData } from '../simulation/live-data.js';
import type { RateLimit } from '../simulation/rate-limit.js';
import type { Simulation } from '../simulation/simulation.js';
import type { Storage } from '../storage/port.js';
import type { AccessLogEntry } from './access-log.js';
import type { AdminAccess } from './admin/admin-guard.js';
import type { IsAllowedHost } from './allowed-hosts.js';
import type { Changes } from './pages/changes.js';
import type { ObserveRequests } from './request-observer.js';

/** Everything that the application depends on. */
export type AppDependencies = Readonly<{
  storage: Storage;
  /** The time that responses are based on; may be frozen. */
  clock: Clock;
  /**
   * A monotonic clock in milliseconds that keeps running when `clock` is frozen: measures how long requests
   * take.
   */
  elapsed: Clock;
  log: Log;
  /** Logs a request; null: requests are not logged. */
  logAccess: ((access: AccessLogEntry) => void) | null;
  /** Refuse unknown query parameters instead of ignoring them with a warning. */
  strict: boolean;
  /** Milliseconds by which to delay the next request to the API. */
  delay: () => number;
  /** How much of what has been rendered is kept, in bytes: about. */
  renderCache: number;
  /** Whether JSON and assets are compressed for clients that accept it. */
  compression: boolean;
  /** What the web flows need besides the storage and the clock. */
  accounts: Omit<AccountDependencies, 'storage' | 'clock'>;
  /** Origins whose pages may read responses. */
  corsOrigins: readonly string[];
  /** Whether pages of origins on this machine may read responses, too. */
  localhostCors: boolean;
  /** Whether pages of other sites can use a session, over HTTPS. */
  crossSiteCookies: boolean;
  /** Whether requests for a host are answered. With a trusted proxy, it is the host that the proxy states. */
  isAllowedHost: IsAllowedHost;
  /** Whether to trust what a proxy says about the client (`X-Forwarded-…`). */
  trustProxy: boolean;
  mode: ServerMode;
  /** Accounts that the pages offer. */
  demoAccounts: () => DemoAccounts;
  /** Whether a request certainly comes from this machine, and the server is there for nobody else. */
  isLocal: (request: IncomingMessage) => boolean;
  /** Whether there is an explorer, the pages under `/explore`. */
  explorer: boolean;
  /** Reads the style sheets and scripts of the pages. */
  readAsset: ReadAsset;
  /** Whether the server is about to stop, so that it should get no more requests. */
  isDraining: () => boolean;
  /** Whether the data that is served is not the one that was to be loaded last. */
  hasReloadFailed: () => boolean;
  /** How long `/readyz` waits for the storage, in milliseconds. */
  readyTimeout: number;
  /** Observes every request; null: nobody does. */
  observeRequests: ObserveRequests | null;
  /** Told of every security event, which is also logged. */
  onSecurityEvent: (event: SecurityEvent) => void;
  /** What clients may have simulated; null: nothing, and there are no mock controls. */
  simulation: Simulation | null;
  /** The clock and the data, for the mock controls to change them; null: they cannot be changed. */
  live: LiveData | null;
  /** What changes while the server runs, for the pages that show it; null: it cannot tell. */
  changes: Changes | null;
  /** Who may use the mock controls. */
  adminAccess: AdminAccess;
  /** Limits the requests to the API of each client; null: there is no limit. */
  rateLimit: RateLimit | null;
}>;
