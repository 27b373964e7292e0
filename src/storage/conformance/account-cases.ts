import assert from 'node:assert/strict';
import * as E from '#fp-ts/Either';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import type { PasswordHash } from '../../records/account-records.js';
import type { Storage } from '../port.js';
import { assertSessions, callerOf, firstPage, resultOf } from './assertions.js';
import type { Checks } from './conformance-case.js';
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

/** Changes of the password, and deletions. */
export const accountCases: Checks = {
  'a new password is stored; all sessions end but the new one; API tokens stay valid': async (storage) => {
    const from = await twins(storage);
    const to = await hashCheaply('new password');
    assert.equal(await changePassword(storage, 'new', { from, to }, 'fresh'), true);
    assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, to);
    await assertSessions(storage, { new: 'nobody', second: 'nobody', fresh: 'new' });
    assert.equal(await callerOf(storage, byToken('new-token')), 'new');
    await twinIsUntouched(storage);
  },
  'a password that has been changed meanwhile, and one of nobody, are not replaced': async (storage) => {
    const from = await twins(storage);
    const to = await hashCheaply('new password');
    assert.equal(await changePassword(storage, 'new', { from: to, to }, 'fresh'), false);
    assert.equal(await changePassword(storage, 'nobody', { from, to }, 'fresh'), false);
    assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, from);
    await assertSessions(storage, { second: 'new', fresh: 'nobody' });
  },
  'of concurrent changes of one password exactly one succeeds, and its session alone is valid': async (
    storage,
  ) => {
    const from = await twins(storage);
    const to = await Promise.all(values.map(hashCheaply));
    const changes = await Promise.all(
      values.map((value, i) => changePassword(storage, 'new', { from, to: to[i] ?? from }, value)),
    );
    assert.equal(changes.filter((isChanged) => isChanged).length, 1);
    const winner = changes.indexOf(true);
    assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.passwordHash, to[winner]);
    assert.deepEqual(
      await callersOf(storage, values),
      values.map((_, i) => (i === winner ? 'new' : 'nobody')),
    );
  },
  'logins during a change of the password all succeed, and none ends the session of the change': async (
    storage,
  ) => {
    const from = await twins(storage);
    const to = await hashCheaply('x');
    await Promise.all([
      ...values.map((value) => resultOf(storage.startSession(newSession('new', value), null))),
      changePassword(storage, 'new', { from, to }, 'fresh'),
    ]);
    await assertSessions(storage, { fresh: 'new', second: 'nobody' });
  },
  'a deleted account leaves nothing, and others are untouched; a second deletion is harmless': async (
    storage,
  ) => {
    await twins(storage);
    assert.equal(await resultOf(storage.deleteAccount({ userId: 'new' })), true);
    await isGone(storage);
    await twinIsUntouched(storage);
    assert.equal(await resultOf(storage.deleteAccount({ userId: 'new' })), false);
    assert.equal(await resultOf(storage.deleteAccount({ userId: 'nobody' })), false);
    await isGone(storage);
    await twinIsUntouched(storage);
    assert.equal(await callerOf(storage, bySession('good')), 'ann');
  },
  'the address of a deleted account is free, and the new account has nothing of the old one': async (
    storage,
  ) => {
    await twins(storage);
    await resultOf(storage.deleteAccount({ userId: 'new' }));
    await resultOf(storage.signUp(await newAccount('again', 'NEW@new.test'), null));
    assert.equal((await resultOf(storage.userByEmail('new@new.test')))?.id, 'again');
    assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'again' })), []);
    assert.equal(await callerOf(storage, bySession('new')), 'nobody');
    assert.equal((await resultOf(storage.findings(bySession('again'), firstPage))).total, 1);
  },
  'a deleted account gets no session, no API token and no new password': async (storage) => {
    const from = await twins(storage);
    await resultOf(storage.deleteAccount({ userId: 'new' }));
    await resultOf(storage.startSession(newSession('new', 'late'), hashSecret('good')));
    assert.deepEqual(
      await storage.addApiToken(newApiToken('new', 'late-token'))(),
      E.left({ _tag: 'Unauthorized' }),
    );
    assert.equal(await changePassword(storage, 'new', { from, to: from }, 'later'), false);
    assert.equal(await callerOf(storage, byToken('late-token')), 'nobody');
    // Nothing has happened to the session that the login would have ended.
    await assertSessions(storage, { late: 'nobody', later: 'nobody', good: 'ann' });
    await isGone(storage);
  },
  'of concurrent deletions and logins of one account nothing is left': async (storage) => {
    await twins(storage);
    await Promise.all(
      values.flatMap((value): Promise<unknown>[] => [
        resultOf(storage.startSession(newSession('new', value), null)),
        resultOf(storage.deleteAccount({ userId: 'new' })),
      ]),
    );
    assert.deepEqual(new Set(await callersOf(storage, values)), new Set(['nobody']));
    await isGone(storage);
  },
};

const values = ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'];

type Hashes = Readonly<{ from: PasswordHash; to: PasswordHash }>;

const changePassword = (storage: Storage, userId: string, hashes: Hashes, value: string) =>
  resultOf(storage.changePassword({ userId }, { ...hashes, session: newSession(userId, value) }));

const callersOf = (storage: Storage, values: readonly string[]) =>
  Promise.all(values.map((value) => callerOf(storage, bySession(value))));

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
  await assertSessions(storage, { new: 'nobody', second: 'nobody' });
  assert.equal(await callerOf(storage, byToken('new-token')), 'nobody');
  assert.equal(await resultOf(storage.userByEmail('new@new.test')), null);
  assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'new' })), []);
};
