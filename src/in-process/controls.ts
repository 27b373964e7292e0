import type { FaultRule, NewFaultRule } from '../simulation/fault-rule.js';
import type { JournalEntry, JournalFilter } from '../simulation/journal-entry.js';
import type { StorageState } from './failing-storage.js';
import type { LiveControls } from './live-controls.js';
import type { Tenant } from './tenant.js';

/** The rules by which requests fail (docs/simulate.md). */
export type Faults = Readonly<{
  /** Adds a rule. Throws a `TriageApiError` that lists what is wrong with it. */
  add: (rule: Partial<NewFaultRule>) => FaultRule;
  /** All rules, and how often each was applied. */
  list: () => readonly FaultRule[];
  /** Removes a rule; false if there is none with this id. */
  remove: (id: string) => boolean;
  /** Removes all rules. */
  clear: () => void;
}>;

/**
 * What a test can see and change of a server in its process, or of a handler without a server. `F`: what
 * fixtures are given as.
 */
export type Controls<F> = Readonly<{
  /** The value of the session cookie of the first tenant. */
  session: string;
  /** The bearer token of the first tenant. */
  token: string;
  /** All tenants: by file name if they come from a directory, else in the given order. */
  tenants: readonly Tenant[];
  /** The tenant with this name. Throws a `TriageApiError` if there is none. */
  tenant: (name: string) => Tenant;
  /**
   * Freezes the clock at a moment. The data stays as it was loaded, unlike with `clock.set`. Throws a
   * `TriageApiError` if the moment is invalid.
   */
  setNow: (moment: string | Date) => void;
  /** Makes the storage fail or work again. Throws a `TriageApiError` if there is no such state. */
  setStorage: (state: StorageState) => void;
  /** Makes requests fail, by rules. */
  faults: Faults;
  /** The latest requests, the oldest first, or those that a filter lets through. */
  requests: (filter?: Partial<JournalFilter>) => readonly JournalEntry[];
}> &
  Omit<LiveControls<F>, 'catchUp'>;
