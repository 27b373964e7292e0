import type { TestFn } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../src/accounts/account-storage.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import { firstPage, resultOf } from '../../src/storage-kit/conformance/conformance-case.js';
import { newAccount, newApiToken } from '../../src/storage-kit/conformance/sample-tenants.js';
import { aRepo, aSession, aUser, dataset } from '../_data.js';
import { bySession, byToken } from '../_storage.js';

/** A storage that holds these tenants and at most so many signed-up ones; `events` collects what it logs. */
type Open = (
  datasets: readonly Dataset[],
  maxSignUps: number,
  events: string[],
) => Storage | Promise<Storage>;

const imported = [dataset({ user: aUser('a'), sessions: [aSession('a')], repos: [aRepo('own')] })];

/** Declares the tests of the sign-up limit, which is a setting of each adapter. */
export const testSignUpLimit = (test: TestFn, adapter: string, open: Open): void => {
  test.serial(
    `${adapter}: above the sign-up limit the oldest tenant is removed with its records`,
    async (t) => {
      const events: string[] = [];
      const storage = await open(imported, 2, events);
      for (const id of ['u1', 'u2', 'u3']) {
        await resultOf(storage.signUp(await newAccount(id), null));
        if (id === 'u1') await resultOf(storage.addApiToken(newApiToken('u1', 't1')));
      }
      t.deepEqual(await isValid(storage, 'u1', 'u2', 'u3', 'a'), [false, true, true, true]);
      t.deepEqual(await storage.prs(byToken('t1'), firstPage), E.left({ _tag: 'Unauthorized' }));
      t.is(await resultOf(storage.userByEmail('u1@new.test')), null);
      t.deepEqual(events, ['the oldest signed-up tenant was removed']);
    },
  );

  test.serial(
    `${adapter}: the address of a removed tenant is free again, and its new tenant is new`,
    async (t) => {
      const storage = await open([], 1, []);
      await resultOf(storage.signUp(await newAccount('u1', 'same@new.test'), null));
      await resultOf(storage.signUp(await newAccount('u2'), null));
      await resultOf(storage.signUp(await newAccount('u3', 'same@new.test'), null));
      t.is((await resultOf(storage.userByEmail('SAME@new.test')))?.id, 'u3');
      t.deepEqual(await isValid(storage, 'u1', 'u2', 'u3'), [false, false, true]);
    },
  );

  test.serial(`${adapter}: a refused sign-up removes nobody`, async (t) => {
    const events: string[] = [];
    const storage = await open(imported, 1, events);
    await resultOf(storage.signUp(await newAccount('u1'), null));
    const taken = await storage.signUp(await newAccount('u2', 'a@test.test'), null);
    t.deepEqual(taken, E.left({ _tag: 'EmailTaken' }));
    t.deepEqual(await isValid(storage, 'u1', 'a'), [true, true]);
    t.deepEqual(events, []);
  });

  test.serial(`${adapter}: concurrent sign-ups keep the limit, and no tenant is removed twice`, async (t) => {
    const events: string[] = [];
    const storage = await open(imported, 3, events);
    const ids = Array.from({ length: 16 }, (_, i) => `u${i}`);
    const accounts = await Promise.all(ids.map((id) => newAccount(id)));
    await Promise.all(accounts.map((account) => resultOf(storage.signUp(account, null))));
    t.is((await isValid(storage, ...ids)).filter(Boolean).length, 3);
    t.deepEqual(await isValid(storage, 'a'), [true]);
    t.is(events.length, 13);
  });
};

const isValid = (storage: Storage, ...sessions: readonly string[]): Promise<readonly boolean[]> =>
  Promise.all(sessions.map(async (session) => E.isRight(await storage.caller(bySession(session)))));
