import type { Dataset } from '../../records/dataset.js';
import type { Storage } from '../port.js';
import { checkedStorage } from './checked-storage.js';

/** An open storage, and how to close it. */
export type OpenedStorage = Readonly<{ storage: Storage; close: () => Promise<void> }>;

/**
 * Opens a storage that holds these tenants and nothing else, with timestamps as written. Each storage is
 * closed before the next is opened, so one database can serve all cases.
 */
export type OpenStorage = (datasets: readonly Dataset[]) => Promise<OpenedStorage>;

/** One requirement. `run` rejects with an assertion error when the storage does not meet it. */
export type ConformanceCase = Readonly<{ name: string; run: () => Promise<void> }>;

/** What the cases work with. */
export type Suite = Readonly<{
  open: OpenStorage;
  /** Milliseconds within which an operation has to settle, and a background write to become visible. */
  timeLimit: number;
  /** The operations that have not settled in time: they are not waited for again. */
  stalled: Set<string>;
  /** The seed of the random tenants; undefined: another one each time. */
  seed: number | undefined;
  /** Milliseconds since some moment. */
  elapsed: () => number;
}>;

/**
 * A check of a storage that holds these tenants. The storage is closed even when the check fails. A storage
 * that breaks the form of the port fails with what it did, whatever the check makes of the consequences.
 */
export const withStorage =
  (
    { open, timeLimit, stalled }: Suite,
    datasets: readonly Dataset[],
    check: (storage: Storage) => Promise<void>,
  ): (() => Promise<void>) =>
  async () => {
    const { storage, close } = await open(datasets);
    const faults: Error[] = [];
    try {
      await check(checkedStorage(storage, { timeLimit, stalled, onFault: (fault) => faults.push(fault) }));
    } catch (failure) {
      throw faults[0] ?? failure;
    } finally {
      await close();
    }
    if (faults[0] !== undefined) throw faults[0];
  };
