import assert from 'node:assert/strict';
import * as E from '#fp-ts/Either';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { maxSessions } from '../limits.js';
import type { Storage } from '../port.js';
import { assertSessions, callerOf, firstPage, resultOf } from './assertions.js';
import type { Checks } from './conformance-case.js';
import { after, bySession, newAccount, newAccountRows, newSession } from './new-records.js';

/** Sign-ups, logins and logouts. */
export const sessionCases: Checks = {
  'a sign-up creates a tenant with a session and rows, and ends another session': async (storage) => {
    await resultOf(storage.signUp(await newAccount('new', 'Émile@new.test'), hashSecret('good')));
    await assertSessions(storage, { new: 'new', good: 'nobody' });
    assert.equal((await resultOf(storage.userByEmail('e\u0301MILE@NEW.test')))?.id, 'new');
    const [only] = await resultOf(storage.repos(bySession('new')));
    assert.deepEqual(
      [only?.repo, only?.lastScan?.id, only?.openPrCount, only?.openFixDraftId, only?.openAdvisoryCount],
      [newAccountRows.repos[0], 'same', 1, 'same', 1],
    );
    assert.deepEqual(
      (await resultOf(storage.findings(bySession('new'), firstPage))).rows,
      newAccountRows.fixDrafts,
    );
    assert.equal((await resultOf(storage.finding(bySession('new'), 'same')))?.prCount, 1);
    assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'new' })), []);
  },
  'a sign-up with a taken address is refused and changes nothing': async (storage) => {
    await resultOf(storage.signUp(await newAccount('new'), null));
    for (const email of ['new@new.test', 'NEW@NEW.TEST', 'Ann@test.test']) {
      const taken = storage.signUp(await newAccount('late', email), hashSecret('good'));
      assert.deepEqual(await taken(), E.left({ _tag: 'EmailTaken' }), email);
    }
    assert.equal(await resultOf(storage.user({ userId: 'late' })), null);
    await assertSessions(storage, { late: 'nobody', good: 'ann' });
  },
  'of many concurrent sign-ups with one address, exactly one succeeds': async (storage) => {
    const accounts = await Promise.all(
      Array.from({ length: 12 }, (_, i) => newAccount(`u${i}`, 'same@new.test')),
    );
    const results = await Promise.all(accounts.map((each) => storage.signUp(each, null)()));
    assert.equal(results.filter(E.isRight).length, 1);
    for (const result of results.filter(E.isLeft)) assert.deepEqual(result.left, { _tag: 'EmailTaken' });
  },
  'a login replaces one session with another; an ended session is refused at once': async (storage) => {
    await resultOf(storage.startSession(newSession('ann', 'next'), hashSecret('good')));
    await assertSessions(storage, { good: 'nobody', next: 'ann' });
    await resultOf(storage.endSession(hashSecret('next')));
    assert.equal(await callerOf(storage, bySession('next')), 'nobody');
    await resultOf(storage.endSession(hashSecret('next')));
    assert.equal(await callerOf(storage, bySession('bobs')), 'bob');
  },
  'a user above the session limit loses the oldest session': async (storage) => {
    for (let i = 0; i <= maxSessions; i += 1) await start(storage, 'bob', `s${i}`, i + 1);
    await assertSessions(storage, { s0: 'nobody', s1: 'bob', [`s${maxSessions}`]: 'bob', good: 'ann' });
  },
  'above the session limit, sessions of the same origin end before those of others': async (storage) => {
    const [here, there] = ['a'.repeat(16), 'b'.repeat(16)];
    await resultOf(storage.signUp(await newAccount('new'), null));
    await start(storage, 'new', 'early', 1, here);
    for (let i = 0; i <= maxSessions; i += 1) await start(storage, 'new', `s${i}`, i + 2, there);
    await assertSessions(storage, {
      new: 'new',
      early: 'new',
      s2: 'nobody',
      s3: 'new',
      [`s${maxSessions}`]: 'new',
    });
    await start(storage, 'new', 'elsewhere', maxSessions + 3, 'c'.repeat(16));
    await assertSessions(storage, { new: 'nobody', early: 'new', s3: 'new' });
  },
  'concurrent logins at the session limit all succeed, and the limit is kept': async (storage) => {
    const values = Array.from({ length: maxSessions + 40 }, (_, i) => `s${i}`);
    for (const [i, value] of values.slice(0, maxSessions).entries()) await start(storage, 'bob', value, i);
    await Promise.all(
      values.slice(maxSessions).map((value, i) => start(storage, 'bob', value, maxSessions + i)),
    );
    const callers = await Promise.all(values.map((value) => storage.caller(bySession(value))()));
    assert.ok(callers.filter(E.isRight).length <= maxSessions);
    assert.ok(callers.slice(maxSessions).every(E.isRight), 'the new sessions are valid');
  },
};

/** Starts a session so many milliseconds after `now`. */
const start = (storage: Storage, userId: string, value: string, at: number, origin: string | null = null) => {
  const times = { createdAt: after(at), expiresAt: after(100_000) };
  return resultOf(storage.startSession(newSession(userId, value, { ...times, origin }), null));
};
