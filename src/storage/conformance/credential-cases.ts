import assert from 'node:assert/strict';
import * as E from '#fp-ts/Either';
import type { PresentedCredentials } from '../port.js';
import { callerOf, firstPage, resultOf } from './assertions.js';
import type { Checks } from './conformance-case.js';
import { byBoth, bySession, byToken } from './new-records.js';

/** Which credentials are accepted, and what their owner can read. */
export const credentialCases: Checks = {
  'credentials are valid to the millisecond, and a valid token takes precedence over a session': async (
    storage,
  ) => {
    for (const [credentials, expected] of [
      [bySession('good'), 'ann'],
      [bySession('ends-now'), 'nobody'],
      [bySession('ends-next'), 'ann'],
      [bySession('valid'), 'nobody'],
      [bySession('unknown'), 'nobody'],
      [byToken('valid'), 'ann'],
      [byToken('good'), 'nobody'],
      [byToken('expires-now'), 'nobody'],
      [byToken('expires-next'), 'ann'],
      [byToken('revoked-now'), 'nobody'],
      [byToken('revoked-next'), 'ann'],
      [byBoth('good', 'bobs-token'), 'bob'],
      [byBoth('good', 'revoked-now'), 'ann'],
      [byBoth('good', 'unknown'), 'ann'],
      [byBoth('ends-now', 'bobs-token'), 'bob'],
      [byBoth('ends-now', 'expires-now'), 'nobody'],
    ] as const) {
      assert.equal(await callerOf(storage, credentials), expected, JSON.stringify(credentials));
    }
  },
  'every read returns the records of the caller alone, and refuses invalid credentials': async (storage) => {
    const owners = async (credentials: PresentedCredentials) =>
      (await resultOf(storage.repos(credentials))).map(({ repo }) => repo.owner);
    assert.deepEqual(await owners(bySession('good')), ['acme']);
    assert.deepEqual(await owners(bySession('bobs')), ['acme', 'bob']);
    assert.equal((await resultOf(storage.finding(bySession('bobs'), 'same')))?.draft.package, 'of-bob');
    assert.equal((await resultOf(storage.finding(bySession('good'), 'same')))?.draft.package, 'lodash');
    assert.equal(await resultOf(storage.finding(bySession('good'), 'bobs')), null);
    assert.equal((await resultOf(storage.prs(bySession('good'), firstPage))).total, 1);
    assert.equal((await resultOf(storage.findings(bySession('bobs'), firstPage))).total, 2);
    assert.deepEqual(await resultOf(storage.findings(bySession('good'), { ...firstPage, repoId: 'bobs' })), {
      rows: [],
      total: 0,
    });
    for (const read of [
      storage.repos(bySession('unknown')),
      storage.findings(bySession('unknown'), firstPage),
      storage.finding(bySession('unknown'), 'same'),
      storage.prs(bySession('unknown'), firstPage),
    ]) {
      assert.deepEqual(await read(), E.left({ _tag: 'Unauthorized' }));
    }
  },
  'rows are frozen objects': async (storage) => {
    const credentials = bySession('good');
    for (const rows of [
      await resultOf(storage.repos(credentials)),
      (await resultOf(storage.findings(credentials, firstPage))).rows,
      (await resultOf(storage.prs(credentials, firstPage))).rows,
      [Object(await resultOf(storage.finding(credentials, 'same')))],
    ]) {
      assert.ok(rows.length > 0 && rows.every(Object.isFrozen));
    }
  },
  'a user is found by e-mail address in any letter case, with the password hash': async (storage) => {
    const user = await resultOf(storage.userByEmail('ANN@Test.TEST'));
    assert.deepEqual([user?.id, user?.email, user?.name], ['ann', 'ann@test.test', 'ann']);
    assert.match(user?.passwordHash ?? '', /^scrypt\$/);
    for (const unknown of ['x@test.test', '', '\u0000', '%', 'ann']) {
      assert.equal(await resultOf(storage.userByEmail(unknown)), null);
    }
    assert.deepEqual(await resultOf(storage.user({ userId: 'bob' })), {
      id: 'bob',
      email: 'bob@test.test',
      name: 'bob',
    });
    assert.equal(await resultOf(storage.user({ userId: 'unknown' })), null);
  },
};
