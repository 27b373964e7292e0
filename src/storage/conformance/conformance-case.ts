import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import * as E from '#fp-ts/Either';
import type { Dataset } from '../../records/dataset.js';
import { eachCall } from '../each-call.js';
import type { Storage } from '../port.js';
import { settledCall } from '../settled-call.js';

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
  /** The seed of the random tenants; undefined: another one each time. */
  seed: number | undefined;
}>;

type Check = (storage: Storage, suite: Suite) => Promise<void>;

/** Checks of a storage by what they require. */
export type Checks = Readonly<Record<string, Check>>;

/** The cases that check a storage with these tenants. */
export const casesOver = (
  suite: Suite,
  datasets: readonly Dataset[],
  checks: Checks,
): readonly ConformanceCase[] =>
  Object.entries(checks).map(([name, check]) => ({
    name,
    run: () => checkStorage(suite, datasets, check),
  }));

/**
 * Checks a storage that holds these tenants. The storage is closed even when the check fails. A storage that
 * breaks the form of the port fails with what it did, whatever the check makes of the consequences: an
 * operation that is missing, throws or rejects, does not settle in time, or resolves to something else than
 * an `Either`. Authors who do not use TypeScript make these mistakes first.
 */
export const checkStorage = async (
  suite: Suite,
  datasets: readonly Dataset[],
  check: Check,
): Promise<void> => {
  const { storage, close } = await suite.open(datasets);
  let fault: Error | undefined;
  const checked = eachCall(storage, (call, name) => (...args) => async () => {
    const settled = await settledCall(name, call, args, suite.timeLimit);
    if (E.isRight(settled)) return settled.right;
    const { _tag, cause } = settled.left;
    const threw = `the operation \`${name}\` of the storage threw or rejected: ${inspect(cause)}`;
    const message = _tag !== 'Threw' && cause instanceof Error ? cause.message : threw;
    fault ??= new AssertionError({ message });
    throw fault;
  });
  try {
    await check(checked, suite);
  } catch (failure) {
    throw fault ?? failure;
  } finally {
    await close();
  }
  if (fault !== undefined) throw fault;
};
