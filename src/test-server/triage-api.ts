/// <reference lib="esnext.disposable" preserve="true" />

import type { FaultRule, NewFaultRule } from '../simulation/fault-rule.js';
import type { JournalEntry, JournalFilter } from '../simulation/journal-entry.js';
import type { ApiFetch } from './api-fetch.js';
import type { StorageState } from './failing-storage.js';
import type { LiveControls } from './live-controls.js';
import type { OnDemandControls } from './on-demand-controls.js';
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

/** A server of the API v1 that runs in the process of the test. */
export type TriageApi = Readonly<{
  /** Its base URL without a trailing slash: `http://127.0.0.1:49152`. */
  url: string;
  /** The value of the session cookie of the first tenant. */
  session: string;
  /** The bearer token of the first tenant. */
  token: string;
  /** All tenants: by file name if they come from a directory, else in the given order. */
  tenants: readonly Tenant[];
  /** The tenant with this name, also one made on demand. Throws a `TriageApiError` if there is none. */
  tenant: (name: string) => Tenant;
  /**
   * Sends a request with the session of a tenant, the first one unless `tenant` says otherwise, and keeps its
   * cookies as a browser would: after a login, requests have the new session, and after a logout none.
   */
  fetch: ApiFetch;
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
  /**
   * Stops the server and cuts off requests in flight. After it resolves, nothing of the server is left. Never
   * rejects. Whatever changes the server throws a `TriageApiError` from then on, or rejects with one; the
   * journal can still be read.
   */
  stop: () => Promise<void>;
  /** The same as `stop`, for `await using`. */
  [Symbol.asyncDispose]: () => Promise<void>;
}> &
  Omit<LiveControls, 'catchUp'> &
  Omit<OnDemandControls, 'find'>;
