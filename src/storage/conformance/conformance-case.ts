import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Dataset } from '../../records/dataset.js';
import { eachCall } from '../each-call.js';
import { EitherForm, settledWithin } from '../own/guarded-storage.js';
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

/** What the cases work with. */
export type Suite = Readonly<{
  open: OpenStorage;
  /** Milliseconds within which an operation has to settle, and a background write to become visible. */
  timeLimit: number;
  /** The operations that have not settled in time: they are not waited for again. */
  stalled: Set<string>;
  /** The seed of the random tenants; undefined: another one each time. */
  seed: number | undefined;
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

type Checks = Pick<Suite, 'timeLimit' | 'stalled'> & Readonly<{ onFault: (fault: Error) => void }>;

/**
 * A storage that answers as the given one does, and reports where that one breaks the form of the port: an
 * operation that is missing, throws or rejects, resolves to something else than an `Either`, or does not
 * settle in time. Such an operation rejects; those that did not settle get less time from then on. Authors
 * who do not use TypeScript make these mistakes first.
 */
export const checkedStorage = (storage: Storage, { timeLimit, stalled, onFault }: Checks): Storage =>
  eachCall(storage, (call, name) => (...args) => async () => {
    const faultOf = (what: string): Error => {
      const fault = new AssertionError({ message: `the operation \`${name}\` of the storage ${what}` });
      onFault(fault);
      return fault;
    };
    if (typeof call !== 'function') throw faultOf('is missing');
    const settling = async () => {
      const task = call(...args);
      if (typeof task !== 'function') throw faultOf(`returned ${briefly(task)}, not a function`);
      return { result: await task() };
    };
    const settled = await settledWithin(stalled.has(name) ? timeLimit / 50 : timeLimit, settling).catch(
      (cause: unknown) => {
        throw cause instanceof AssertionError ? cause : faultOf(`threw or rejected: ${inspect(cause)}`);
      },
    );
    if (settled === null) {
      stalled.add(name);
      throw faultOf(`did not settle within ${timeLimit / 1000} s`);
    }
    const { result } = settled;
    if (!EitherForm.is(result)) throw faultOf(`resolved to ${briefly(result)}, not to an Either`);
    return result;
  });

const briefly = (value: unknown): string => inspect(value, { depth: 1, breakLength: Infinity });
