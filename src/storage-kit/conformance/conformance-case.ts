import assert, { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import type { Storage } from '../../accounts/account-storage.js';
import { eachCall } from '../../accounts/storage-calls.js';
import type { PresentedCredentials, ReadResult } from '../../api/storage-port.js';
import { pause } from '../../common/timers.js';
import type { Dataset } from '../../fixtures/dataset.js';
import { settledCall } from '../settled-call.js';
import { bySession } from './sample-tenants.js';

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
export const casesOver = (suite: Suite, datasets: readonly Dataset[], checks: Checks) =>
  Object.entries(checks).map(([name, check]) => ({ name, run: () => checkStorage(suite, datasets, check) }));

/**
 * Checks a storage that holds these tenants, and closes it. A storage that breaks the form of the port fails
 * with what it did, whatever the check makes of the consequences: authors who do not use TypeScript make this
 * mistake first.
 */
export const checkStorage = async (suite: Suite, datasets: readonly Dataset[], check: Check) => {
  const { storage, close } = await suite.open(datasets);
  let fault: Error | undefined;
  const checked = eachCall(storage, (call, name) => async (...args) => {
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

/** A query for the first 100 rows, whatever their repository and status. */
export const firstPage = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

/** What a call resolves to; fails if that is a `left`. */
export const resultOf = async <A>(call: Promise<E.Either<unknown, A>>): Promise<A> => {
  const result = await call;
  if (E.isLeft(result)) assert.fail(`the storage answered ${inspect(result.left)}`);
  return result.right;
};

/** The rows that a read finds; fails if it finds none. */
export const rowsFound = async <Rows>(read: ReadResult<Rows>): Promise<Rows> => {
  const found = await resultOf(read);
  if ('unchanged' in found) assert.fail('the storage answered `unchanged` to a read that knows no version');
  return found.rows;
};

/** The user id that credentials resolve to, or `nobody`. `caller` and reads must agree. */
export const callerOf = async (storage: Storage, credentials: PresentedCredentials): Promise<string> => {
  const userId = pipe(
    await storage.caller(credentials),
    E.map((caller) => caller.userId),
  );
  const ofReads = pipe(
    await storage.repos(credentials),
    E.map(({ caller }) => caller.userId),
  );
  assert.deepEqual(ofReads, userId, 'reads accept and name the callers that `caller` does');
  if (E.isRight(userId)) return userId.right;
  assert.deepEqual(userId.left, { _tag: 'Unauthorized' });
  return 'nobody';
};

/** Asserts whose each session is, by its value. */
export const assertSessions = async (storage: Storage, owners: Readonly<Record<string, string>>) => {
  for (const [value, owner] of Object.entries(owners))
    assert.equal(await callerOf(storage, bySession(value)), owner, `the session ${value}`);
};

/** Polls for the effect of a background write, for at least `timeLimit` milliseconds. */
export const eventually = async <A>(read: () => Promise<A>, expected: A, timeLimit: number) => {
  for (let i = 0; i < timeLimit / 20; i += 1) {
    if ((await read()) === expected) return;
    await pause(20);
  }
  assert.deepEqual(await read(), expected);
};
