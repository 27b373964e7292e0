import type * as E from '#fp-ts/Either';
import { allowListeners } from '#platform';
import type { SecretHash } from '../api/credentials.js';
import type { ClockOf } from '../common/clock.js';
import { seededRandom } from '../common/seeded-random.js';
import type { Problem } from '../contract/codecs/problem.js';
import type { Timestamp } from '../contract/codecs/timestamp.js';
import { type FaultRules, faultRules } from './fault-rules.js';
import { type Journal, journal } from './journal.js';
import { type KnownNames, type KnownTenant, knownNames } from './known-names.js';
import type { MadeTenant, OnDemandTenant, TenantRequest } from './on-demand-tenant.js';
import type { DatasetChange } from './patches.js';
import type { ClockControl } from './simulated-clock.js';

/** How a storage is, or is made to be. */
export type StorageState = 'fine' | 'unavailable' | 'broken';

export type Simulation = Readonly<{
  faults: FaultRules;
  journal: Journal;
  names: KnownNames;
  /** Whether the storage is made to fail. */
  storage: Readonly<{ state: () => StorageState; set: (state: StorageState) => void }>;
  maxHang: number;
  /** Aborted when the server stops: what hangs on purpose is nothing to wait for. */
  stopping: AbortSignal;
  stop: () => void;
}>;

/** Nothing is simulated yet. */
export const createSimulation = ({
  /** The same seed makes the same requests fail. */
  seed = 1,
  /** How many requests the journal keeps. */
  journalSize = 1000,
  /** After how many milliseconds the connection of a request that hangs is cut. */
  maxHang = 60_000,
} = {}): Simulation => {
  const stopping = new AbortController();
  // Each request that hangs on purpose listens.
  allowListeners(stopping.signal);
  const kept = journal(journalSize);
  const names = knownNames(kept);
  let storage: StorageState = 'fine';
  return {
    faults: faultRules(seededRandom(seed), names),
    journal: kept,
    names,
    storage: {
      state: () => storage,
      set: (next) => {
        storage = next;
      },
    },
    maxHang,
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
};

/** Why a change of the data is refused: nothing has changed. */
export type ChangeRefused =
  /** `expected`: what could have been named. */
  | Readonly<{ _tag: 'UnknownTenant'; expected: string }>
  | Readonly<{ _tag: 'InvalidChange'; problems: readonly Problem[] }>;

/** Why a change was refused, a line each. `tenant`: where the tenant was named. */
export const refusalLines =
  (tenant: string, format: (problem: Problem) => string) =>
  (refused: ChangeRefused): readonly string[] =>
    refused._tag === 'UnknownTenant' ? [`${tenant}: ${refused.expected}`] : refused.problems.map(format);

/**
 * The clock and the data of a server, to change them while it runs. One change follows the other; the next
 * request sees all of it, and nothing of one that is refused.
 */
export type LiveData = Readonly<{
  clock: ClockControl;
  /** What the clock of a user shows, which is that of the server for most. */
  now: ClockOf;
  /** Tenants that are made while the server runs, each a copy with credentials of its own. */
  tenants: Readonly<{
    create: (wanted: TenantRequest) => Promise<E.Either<ChangeRefused, MadeTenant>>;
    /** The oldest first. */
    list: () => readonly OnDemandTenant[];
    /** One of them, with its credentials; null: there is none with this id or e-mail address. */
    find: (name: string) => MadeTenant | null;
    /** Ends a tenant: its credentials are worth nothing from now on. False if there is no such tenant. */
    remove: (name: string) => Promise<boolean>;
    /** The clock of a tenant: that of the server until it is changed. Null: there is no such tenant. */
    clock: (name: string) => ClockControl | null;
    /** Whether a tenant has a clock of its own. */
    hasClock: (id: string) => boolean;
  }>;
  /** Those whose data can be changed: tenants of fixtures, and those that were made. */
  known: () => readonly KnownTenant[];
  /** The accounts that signed up, which rules and filters can name, too. */
  signedUp: () => readonly KnownTenant[];
  /** Which of a request's credentials has ended by the clock, in words; null: none has. */
  expiredOf: (
    by: Readonly<{ session: SecretHash | null; apiToken: SecretHash | null; at: Timestamp }>,
  ) => string | null;
  /** Changes the data of one of these. */
  change: (tenant: string, change: DatasetChange) => Promise<E.Either<ChangeRefused, void>>;
  /** Goes back to the data at the start: of all, or of one of these. */
  reset: (tenant?: string) => Promise<E.Either<ChangeRefused, void>>;
  /** How many steps of a scenario have played; null: there is none. */
  scenario: () => Readonly<{ played: number; steps: number }> | null;
  /** Whether a clock or data differs from the start. */
  isChanged: () => boolean;
  /**
   * What differs from the start for this tenant, for a header and the journal: `clock`, `data`, or both.
   * Null: nothing.
   */
  changed: (tenant: string | null) => string | null;
}>;
