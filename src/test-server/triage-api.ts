/// <reference lib="esnext.disposable" preserve="true" />
import type { StorageState } from './failing-storage.js';
import type { Tenant } from './tenant.js';

/** A server of the API v1 that runs beside the test which asks it. */
export type TriageApi = Readonly<{
  /** Where it is, without a slash at the end: `http://127.0.0.1:49152`. */
  url: string;
  /** The session cookie's value of the first tenant. */
  session: string;
  /** The bearer token of the first tenant. */
  token: string;
  /** All tenants: of a directory in the order of the names of its files, else as they were given. */
  tenants: readonly Tenant[];
  /** The tenant of a name; throws a `TriageApiError` where there is none. */
  tenant: (name: string) => Tenant;
  /** Stops the clock at a moment, from now on; throws a `TriageApiError` when it is none. Data stays as it was loaded. */
  setNow: (moment: string | Date) => void;
  /** Makes the storage fail, or work again, from now on; throws a `TriageApiError` when there is no such state. */
  setStorage: (state: StorageState) => void;
  /** Ends the server and cuts off requests in flight; once it resolves, nothing of the server is left. It never rejects. */
  stop: () => Promise<void>;
  /** As `stop`, for `await using`. */
  [Symbol.asyncDispose]: () => Promise<void>;
}>;
