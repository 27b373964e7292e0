import type { Dataset } from '../../records/dataset.js';
import type { Storage } from '../port.js';

/** An open storage, and how to close it. */
export type OpenedStorage = Readonly<{ storage: Storage; close: () => Promise<void> }>;

/**
 * Opens a storage that holds these tenants and nothing else, with timestamps as written. Each storage is
 * closed before the next is opened, so one database can serve all cases.
 */
export type OpenStorage = (datasets: readonly Dataset[]) => Promise<OpenedStorage>;

/** One requirement. `run` rejects with an assertion error when the storage does not meet it. */
export type ConformanceCase = Readonly<{ name: string; run: () => Promise<void> }>;

/** A check of a storage that holds these tenants. The storage is closed even when the check fails. */
export const withStorage =
  (
    open: OpenStorage,
    datasets: readonly Dataset[],
    check: (storage: Storage) => Promise<void>,
  ): (() => Promise<void>) =>
  async () => {
    const { storage, close } = await open(datasets);
    try {
      await check(storage);
    } finally {
      await close();
    }
  };
