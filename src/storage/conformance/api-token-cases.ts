import assert from 'node:assert/strict';
import * as E from '#fp-ts/Either';
import { apiTokenProfile, tokenPrefix } from '../../records/account-records.js';
import { maxActiveApiTokens, maxApiTokens } from '../limits.js';
import { callerOf, eventually, resultOf } from './assertions.js';
import type { Checks } from './conformance-case.js';
import { after, bySession, byToken, newApiToken } from './new-records.js';
import { annAndBob } from './sample-tenants.js';

/** API tokens: listing, limits, revocation and last use. */
export const apiTokenCases: Checks = {
  'tokens in any state are listed newest first, to their owner alone': async (storage) => {
    const added = newApiToken('bob', 'new', { createdAt: after(1), expiresAt: after(2), name: 'é\n"' });
    await resultOf(storage.addApiToken(added));
    const [first, ...others] = await resultOf(storage.apiTokens({ userId: 'bob' }));
    assert.deepEqual(first, apiTokenProfile(added), 'without its hash');
    assert.deepEqual(
      others.map(({ id }) => id),
      ['tok-valid'],
    );
    assert.equal((await resultOf(storage.apiTokens({ userId: 'ann' }))).length, 6);
    assert.equal(await callerOf(storage, byToken('new')), 'bob');
  },
  'a token is shown by its first 11 characters, but never by more than half of it': async (storage) => {
    for (const { user, apiTokens } of annAndBob) {
      const shown = await resultOf(storage.apiTokens({ userId: user.id }));
      assert.deepEqual(
        new Map(shown.map(({ id, prefix }) => [id, prefix])),
        new Map(apiTokens.map(({ id, token }) => [id, tokenPrefix(token)])),
      );
    }
  },
  'only the owner revokes a token, at once; a second revocation changes nothing': async (storage) => {
    assert.equal(
      await resultOf(storage.revokeApiToken({ userId: 'bob' }, 'tok-expires-next', after(0))),
      false,
    );
    assert.equal(await resultOf(storage.revokeApiToken({ userId: 'bob' }, 'tok-valid', after(0))), true);
    assert.equal(await resultOf(storage.revokeApiToken({ userId: 'bob' }, 'tok-valid', after(5))), true);
    for (const unknown of ['nope', '', '\u0000']) {
      assert.equal(await resultOf(storage.revokeApiToken({ userId: 'bob' }, unknown, after(0))), false);
    }
    assert.equal(await callerOf(storage, byToken('bobs-token')), 'nobody');
    assert.equal(await callerOf(storage, byToken('valid')), 'ann');
    assert.equal((await resultOf(storage.apiTokens({ userId: 'bob' })))[0]?.revokedAt, after(0));
    assert.equal(
      await resultOf(storage.revokeApiToken({ userId: 'ann' }, 'tok-revoked-next', after(0))),
      true,
    );
    assert.equal(await callerOf(storage, byToken('revoked-next')), 'nobody');
  },
  'the limit of active tokens is kept, even when many are added concurrently': async (storage) => {
    const results = await Promise.all(
      Array.from({ length: maxActiveApiTokens + 5 }, (_, i) =>
        storage.addApiToken(newApiToken('bob', `t${i}`))(),
      ),
    );
    const refused = results.filter(E.isLeft);
    assert.equal(refused.length, 6, 'one existed already');
    for (const { left } of refused) assert.deepEqual(left, { _tag: 'TooManyApiTokens' });
    await resultOf(storage.revokeApiToken({ userId: 'bob' }, 'tok-valid', after(0)));
    await resultOf(storage.addApiToken(newApiToken('bob', 'again')));
  },
  'above the token limit, the oldest inactive token is deleted first': async (storage) => {
    for (let i = 0; i < maxApiTokens + 3; i += 1) {
      await resultOf(storage.addApiToken(newApiToken('bob', `t${i}`, { createdAt: after(i - 1000) })));
      await resultOf(storage.revokeApiToken({ userId: 'bob' }, `tok-t${i}`, after(i - 1000)));
    }
    const ids = (await resultOf(storage.apiTokens({ userId: 'bob' }))).map(({ id }) => id);
    assert.ok(ids.length <= maxApiTokens + 1, String(ids.length));
    assert.equal(ids.includes('tok-t0'), false);
    assert.equal(ids.includes('tok-valid'), true);
    assert.equal(ids[0], `tok-t${maxApiTokens + 2}`);
  },
  'the use of a token is recorded once a minute; looking up the caller is not a use': async (
    storage,
    { timeLimit },
  ) => {
    const lastUse = async () => String((await resultOf(storage.apiTokens({ userId: 'bob' })))[0]?.lastUsedAt);
    const use = (milliseconds: number) => resultOf(storage.repos(byToken('bobs-token', after(milliseconds))));
    await resultOf(storage.caller(byToken('bobs-token')));
    await resultOf(storage.repos(bySession('bobs')));
    assert.equal(await lastUse(), 'null');
    await use(0);
    await eventually(lastUse, after(0), timeLimit);
    await use(59_999);
    assert.equal(await lastUse(), after(0));
    await use(60_000);
    await eventually(lastUse, after(60_000), timeLimit);
  },
};
