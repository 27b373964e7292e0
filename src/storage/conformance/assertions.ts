import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { PresentedCredentials, Storage } from '../port.js';
import { bySession } from './new-records.js';

/** A query for the first 100 rows, whatever their repository and status. */
export const firstPage = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

/** What a task resolves to; fails if that is a `left`. */
export const resultOf = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) assert.fail(`the storage answered ${inspect(result.left)}`);
  return result.right;
};

/** The user id that credentials resolve to, or `nobody`. `caller` and reads must agree. */
export const callerOf = async (storage: Storage, credentials: PresentedCredentials): Promise<string> => {
  const caller = await storage.caller(credentials)();
  const repos = await storage.repos(credentials)();
  assert.equal(E.isRight(repos), E.isRight(caller), 'reads accept the credentials that `caller` accepts');
  if (E.isRight(caller)) return caller.right.userId;
  assert.deepEqual(caller.left, { _tag: 'Unauthorized' });
  assert.deepEqual(repos, caller);
  return 'nobody';
};

/** Asserts whose each session is, by its value. */
export const assertSessions = async (
  storage: Storage,
  owners: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const [value, owner] of Object.entries(owners))
    assert.equal(await callerOf(storage, bySession(value)), owner, `the session ${value}`);
};

/** Polls for the effect of a background write, for at least `timeLimit` milliseconds. */
export const eventually = async <A>(
  read: () => Promise<A>,
  expected: A,
  timeLimit = 60_000,
): Promise<void> => {
  for (let i = 0; i < timeLimit / 20; i += 1) {
    if ((await read()) === expected) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(await read(), expected);
};
