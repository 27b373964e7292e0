import type { Dataset } from '../../../src/records/dataset.js';
import type { Storage } from '../../../src/storage/port.js';

/** A storage that holds something, and how to be done with it. */
export type OpenedStorage = Readonly<{ storage: Storage; close: () => Promise<void> }>;

/**
 * Opens a storage that holds these tenants and nothing else, their timestamps as they are written. It is closed before the next
 * one is opened, so that one place can hold one after the other.
 */
export type OpenStorage = (datasets: readonly Dataset[]) => Promise<OpenedStorage>;

/** One thing that a storage has to do. It rejects with what was expected and what came instead. */
export type ConformanceCase = Readonly<{ name: string; run: () => Promise<void> }>;

/** A case whose storage is closed whatever happens. */
export const holding =
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
