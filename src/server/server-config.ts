import type { AttemptLimits } from '../accounts/attempt-limiter.js';
import type { HashingLimits } from '../accounts/hashing-queue.js';
import type { PublishedAccounts } from '../accounts/published-accounts.js';
import type { AppDependencies } from '../http/app-dependencies.js';
import type { ConnectionLimits } from '../http/connection-limits.js';
import type { TlsCertificate } from '../http/listen.js';
import type { ObserveCalls } from '../storage/observed-storage.js';

/** Opened data: a storage, and what the pages and new accounts need to know about it. */
export type Backend = Pick<AppDependencies, 'storage' | 'mode' | 'demoAccounts'> &
  Partial<PublishedAccounts> &
  Partial<Pick<AppDependencies, 'hasReloadFailed' | 'live' | 'changes'>> &
  Readonly<{
    /** The rows of new accounts, with dates relative to the given moment. */
    demo: AppDependencies['accounts']['demo'];
    /** The rows that visitors may choose for their accounts instead; left out: none. */
    personas?: AppDependencies['accounts']['personas'];
    /** Saves pending changes and stops background work. */
    close: () => Promise<void>;
  }>;

type Required = Pick<Backend, 'storage'> & Pick<AppDependencies, 'clock' | 'elapsed'>;

type Optional = Omit<Backend, 'storage'> &
  Omit<
    AppDependencies,
    'accounts' | 'isDraining' | 'isAllowedHost' | 'isLocal' | 'adminAccess' | keyof Backend | keyof Required
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
    /** What encrypts the connections; null: nothing does. */
    tls: TlsCertificate | null;
    /** Observes every call of the storage; null: nobody does. */
    observeCalls: ObserveCalls | null;
  }>;

/**
 * What a server is made of. By default, it serves fixtures on a free port of 127.0.0.1, logs nothing, delays
 * and compresses nothing, ignores unknown query parameters, and new accounts start empty.
 */
export type ServerConfig = Required & Partial<Optional>;
