import assert from 'node:assert/strict';
import * as E from '#fp-ts/Either';
import type { TaskEither } from '#fp-ts/TaskEither';
import { hashSecret } from '../../accounts/secrets.js';
import type { Storage } from '../port.js';
import { callerOf, firstPage, resultOf } from './assertions.js';
import { type ConformanceCase, type Suite, withStorage } from './conformance-case.js';
import {
  after,
  bySession,
  byToken,
  hashCheaply,
  newAccount,
  newAccountRows,
  newApiToken,
  newSession,
} from './new-records.js';
import { annAndBob } from './sample-tenants.js';

/** Changes of the password, and deletions. */
export const accountCases = (suite: Suite): readonly ConformanceCase[] => [
  {
    name: 'a new password is stored; all sessions end but the new one; API tokens stay valid',
    run: withStorage(suite, annAndBob, async (storage) => {
      const from = await twins(storage);
      const to = await hashCheaply('new password');
      const change = storage.changePassword(
        { userId: 'new' },
        { from, to, session: newSession('new', 'fresh') },
      );
      assert.equal(await resultOf(change), true);
      assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, to);
      assert.deepEqual(
        await Promise.all(['new', 'second', 'fresh'].map((value) => callerOf(storage, bySession(value)))),
        ['nobody', 'nobody', 'new'],
      );
      assert.equal(await callerOf(storage, byToken('new-token')), 'new');
      await twinIsUntouched(storage);
    }),
  },
  {
    name: 'a password that has been changed meanwhile, and one of nobody, are not replaced',
    run: withStorage(suite, annAndBob, async (storage) => {
      const from = await twins(storage);
      const to = await hashCheaply('new password');
      for (const [userId, known] of [
        ['new', to],
        ['nobody', from],
      ] as const) {
        const session = newSession(userId, 'fresh');
        assert.equal(await resultOf(storage.changePassword({ userId }, { from: known, to, session })), false);
      }
      assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, from);
      assert.equal(await callerOf(storage, bySession('second')), 'new');
      assert.equal(await callerOf(storage, bySession('fresh')), 'nobody');
    }),
  },
  {
    name: 'of concurrent changes of one password exactly one succeeds, and its session alone is valid',
    run: withStorage(suite, annAndBob, async (storage) => {
      const from = await twins(storage);
      const to = await Promise.all(values.map(hashCheaply));
      const changes = await Promise.all(
        values.map((value, i) =>
          resultOf(
            storage.changePassword(
              { userId: 'new' },
              { from, to: to[i] ?? from, session: newSession('new', value) },
            ),
          ),
        ),
      );
      assert.equal(changes.filter((isChanged) => isChanged).length, 1);
      const winner = changes.indexOf(true);
      assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, to[winner]);
      const callers = await Promise.all(values.map((value) => callerOf(storage, bySession(value))));
      assert.deepEqual(
        callers,
        values.map((_, i) => (i === winner ? 'new' : 'nobody')),
      );
    }),
  },
  {
    name: 'logins during a change of the password all succeed, and none ends the session of the change',
    run: withStorage(suite, annAndBob, async (storage) => {
      const from = await twins(storage);
      const session = newSession('new', 'fresh');
      const tasks: readonly TaskEither<unknown, unknown>[] = [
        ...values.map((value) => storage.startSession(newSession('new', value), null)),
        storage.changePassword({ userId: 'new' }, { from, to: await hashCheaply('x'), session }),
      ];
      for (const result of await Promise.all(tasks.map((task) => task()))) assert.ok(E.isRight(result));
      assert.equal(await callerOf(storage, bySession('fresh')), 'new');
      assert.equal(await callerOf(storage, bySession('second')), 'nobody');
    }),
  },
  {
    name: 'a deleted account leaves nothing, and others are untouched; a second deletion is harmless',
    run: withStorage(suite, annAndBob, async (storage) => {
      await twins(storage);
      assert.equal(await resultOf(storage.deleteAccount({ userId: 'new' })), true);
      await isGone(storage);
      await twinIsUntouched(storage);
      assert.equal(await resultOf(storage.deleteAccount({ userId: 'new' })), false);
      assert.equal(await resultOf(storage.deleteAccount({ userId: 'nobody' })), false);
      await isGone(storage);
      await twinIsUntouched(storage);
      assert.equal(await callerOf(storage, bySession('good')), 'ann');
    }),
  },
  {
    name: 'the address of a deleted account is free, and the new account has nothing of the old one',
    run: withStorage(suite, annAndBob, async (storage) => {
      await twins(storage);
      await resultOf(storage.deleteAccount({ userId: 'new' }));
      await resultOf(storage.signUp(await newAccount('again', 'NEW@new.test'), null));
      assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.id, 'again');
      assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'again' })), []);
      assert.equal(await callerOf(storage, bySession('new')), 'nobody');
      assert.equal((await resultOf(storage.findings(bySession('again'), firstPage))).total, 1);
    }),
  },
  {
    name: 'a deleted account gets no session, no API token and no new password',
    run: withStorage(suite, annAndBob, async (storage) => {
      const from = await twins(storage);
      await resultOf(storage.deleteAccount({ userId: 'new' }));
      await resultOf(storage.startSession(newSession('new', 'late'), hashSecret('good')));
      assert.deepEqual(
        await storage.addApiToken(newApiToken('new', 'late-token'))(),
        E.left({ _tag: 'Unauthorized' }),
      );
      const session = newSession('new', 'later');
      assert.equal(
        await resultOf(storage.changePassword({ userId: 'new' }, { from, to: from, session })),
        false,
      );
      for (const credentials of [bySession('late'), bySession('later'), byToken('late-token')])
        assert.equal(await callerOf(storage, credentials), 'nobody');
      await isGone(storage);
      assert.equal(await callerOf(storage, bySession('good')), 'ann', 'nothing happened');
    }),
  },
  {
    name: 'of concurrent deletions and logins of one account nothing is left',
    run: withStorage(suite, annAndBob, async (storage) => {
      await twins(storage);
      const tasks: readonly TaskEither<unknown, unknown>[] = values.flatMap((value) => [
        storage.startSession(newSession('new', value), null),
        storage.deleteAccount({ userId: 'new' }),
      ]);
      for (const result of await Promise.all(tasks.map((task) => task()))) assert.ok(E.isRight(result));
      for (const value of values) assert.equal(await callerOf(storage, bySession(value)), 'nobody');
      await isGone(storage);
    }),
  },
];

const values = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];

/** Creates two accounts whose rows have the same ids, each with a second session and a token. */
const twins = async (storage: Storage) => {
  const account = await newAccount('new');
  await resultOf(storage.signUp(account, null));
  await resultOf(storage.signUp(await newAccount('twin'), null));
  await resultOf(storage.startSession(newSession('new', 'second', { createdAt: after(1) }), null));
  for (const userId of ['new', 'twin'])
    await resultOf(storage.addApiToken(newApiToken(userId, `${userId}-token`, { id: 'tok-same' })));
  return account.user.passwordHash;
};

const twinIsUntouched = async (storage: Storage): Promise<void> => {
  assert.equal(await callerOf(storage, bySession('twin')), 'twin');
  assert.equal(await callerOf(storage, byToken('twin-token')), 'twin');
  assert.notEqual(await resultOf(storage.userByEmail('twin@new.test')), null);
  const { rows } = await resultOf(storage.findings(bySession('twin'), firstPage));
  assert.deepEqual(rows, newAccountRows.fixDrafts);
};

const isGone = async (storage: Storage): Promise<void> => {
  for (const credentials of [bySession('new'), bySession('second'), byToken('new-token')])
    assert.equal(await callerOf(storage, credentials), 'nobody');
  assert.equal(await resultOf(storage.userByEmail('new@new.test')), null);
  assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'new' })), []);
};
