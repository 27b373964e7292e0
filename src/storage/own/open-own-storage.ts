import * as E from '#fp-ts/Either';
import { settledWithin } from '../../common/concurrency.js';
import type { Log } from '../../common/log.js';
import { describe } from '../../contract/codecs/problem.js';
import type { Storage } from '../port.js';
import { guardedStorage, ownErrors } from './guarded-storage.js';
import type { StorageContext } from './storage-factory.js';

/** A storage that keeps to the port, whatever the author has written. `close` never rejects. */
export type OwnStorage = Readonly<{ storage: Storage; close: () => Promise<void> }>;

/** How long a storage may take, in milliseconds. */
export type OwnStorageLimits = Readonly<{ toOpen: number; toAnswer: number; toClose: number }>;

const defaultLimits: OwnStorageLimits = { toOpen: 10_000, toAnswer: 5_000, toClose: 5_000 };

/**
 * Opens a storage that somebody else has written: a function that makes one, `{ storage, close }`, or the
 * storage itself. `left`: one line for each reason why it cannot be used; nothing is left open then.
 */
export const openOwnStorage = async (
  given: unknown,
  context: StorageContext,
  limits: OwnStorageLimits = defaultLimits,
): Promise<E.Either<readonly string[], OwnStorage>> => {
  const { log } = context;
  let made: Readonly<{ value: unknown }> | null;
  const making = async () => ({ value: typeof given === 'function' ? await given(context) : given });
  const task = making();
  try {
    made = await settledWithin(limits.toOpen, () => task);
  } catch (cause) {
    return E.left([`the function that makes the storage failed: ${reasonOf(cause)}`]);
  }
  if (made === null) {
    // What it opens after all is not needed any more.
    task.then(
      ({ value }) => closed(closerOf(value), log, limits.toClose),
      () => {},
    );
    return E.left([
      `the function that makes the storage did not resolve within ${limits.toOpen / 1000} seconds`,
    ]);
  }
  try {
    return await checked(made.value, log, limits);
  } catch (cause) {
    return E.left([`the storage cannot be read: ${reasonOf(cause)}`]);
  }
};

/** What was made, if it is a storage. Rejects if a getter throws. */
const checked = async (
  value: unknown,
  log: Log,
  limits: OwnStorageLimits,
): Promise<E.Either<readonly string[], OwnStorage>> => {
  const close = closerOf(value);
  const inner = isObject(value) && 'storage' in value ? value.storage : value;
  const wrongClose = isObject(value) && value.close !== undefined && close === null;
  if (!isStorage(inner) || wrongClose) {
    await closed(close, log, limits.toClose);
    return E.left([...storageProblems(inner), ...(wrongClose ? ['close: expected a function'] : [])]);
  }
  return E.right({
    storage: guardedStorage(inner, limits.toAnswer),
    close: () => closed(close, log, limits.toClose),
  });
};

/** An error in one line, with the place in the author's code where it was thrown. */
export const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  const place = cause.stack?.split('\n').find((line) => /^\s+at (?!.*node:)/.test(line));
  const [message = ''] = String(cause).split('\n');
  return place === undefined ? message : `${message} (${place.trim()})`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a value has the operations of a storage; whether they keep to the port is checked at each call. */
const isStorage = (value: unknown): value is Storage => storageProblems(value).length === 0;

const closerOf = (value: unknown): (() => unknown) | null => {
  const close = isObject(value) ? value.close : undefined;
  return typeof close === 'function' ? () => close.call(value) : null;
};

const closed = async (close: (() => unknown) | null, log: Log, timeLimit: number): Promise<void> => {
  if (close === null) return;
  try {
    const settled = await settledWithin(timeLimit, async () => {
      await close();
      return true;
    });
    if (settled === null) log('warn', 'the storage did not close in time', { milliseconds: timeLimit });
  } catch (cause) {
    log('error', 'the storage could not be closed', { cause: reasonOf(cause) });
  }
};

/** Why a value is no storage: one line for each reason. What its operations do shows when they are used. */
export const storageProblems = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [`expected a storage, an object of functions, got ${shown(value)}`];
  }
  const given = new Map(Object.keys(ownErrors).map((name) => [name, Reflect.get(value, name)]));
  const missing = [...given].filter(([, operation]) => operation === undefined).map(([name]) => name);
  const wrong = [...given].filter(
    ([, operation]) => operation !== undefined && typeof operation !== 'function',
  );
  return [
    ...(missing.length === 0 ? [] : [`these operations of the storage are missing: ${missing.join(', ')}`]),
    ...wrong.map(([name, operation]) => `${name}: expected a function, got ${shown(operation)}`),
  ];
};

const shown = (value: unknown): string => (typeof value === 'function' ? 'a function' : describe(value));
