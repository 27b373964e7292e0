import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import * as E from '#fp-ts/Either';
import { apiTokenProfile, type PasswordHash, tokenPrefix } from '../../accounts/account-records.js';
import {
  maxActiveApiTokens,
  maxApiTokens,
  maxSessions,
  type NewAccount,
  type Storage,
} from '../../accounts/account-storage.js';
import { hashSecret } from '../../api/credentials.js';
import type { Found, PresentedCredentials, ReadResult, Version } from '../../api/storage-port.js';
import {
  assertSessions,
  type Checks,
  callerOf,
  eventually,
  firstPage,
  resultOf,
  rowsFound,
} from './conformance-case.js';
import {
  after,
  annAndBob,
  byBoth,
  bySession,
  byToken,
  hashCheaply,
  newAccount,
  newAccountRows,
  newApiToken,
  newSession,
} from './sample-tenants.js';

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
      (await rowsFound(storage.repos(credentials))).map(({ repo }) => repo.owner);
    assert.deepEqual(await owners(bySession('good')), ['acme']);
    assert.deepEqual(await owners(bySession('bobs')), ['acme', 'bob']);
    assert.equal((await rowsFound(storage.finding(bySession('bobs'), 'same')))?.draft.package, 'of-bob');
    assert.equal((await rowsFound(storage.finding(bySession('good'), 'same')))?.draft.package, 'lodash');
    assert.equal(await rowsFound(storage.finding(bySession('good'), 'bobs')), null);
    assert.equal((await rowsFound(storage.prs(bySession('good'), firstPage))).total, 1);
    assert.equal((await rowsFound(storage.findings(bySession('bobs'), firstPage))).total, 2);
    const ofBobs = await rowsFound(storage.findings(bySession('good'), { ...firstPage, repoId: 'bobs' }));
    assert.deepEqual(ofBobs, { rows: [], total: 0 });
    for (const read of [
      storage.repos(bySession('unknown')),
      storage.findings(bySession('unknown'), firstPage),
      storage.finding(bySession('unknown'), 'same'),
      storage.prs(bySession('unknown'), firstPage),
    ]) {
      assert.deepEqual(await read, E.left({ _tag: 'Unauthorized' }));
    }
  },
  'a user is found by e-mail address in any letter case, with the password hash': async (storage) => {
    const user = await resultOf(storage.userByEmail('ANN@Test.TEST'));
    assert.deepEqual([user?.id, user?.email, user?.name], ['ann', 'ann@test.test', 'ann']);
    assert.match(user?.passwordHash ?? '', /^scrypt\$/);
    for (const unknown of ['x@test.test', '', '\u0000', '%', 'ann']) {
      assert.equal(await resultOf(storage.userByEmail(unknown)), null);
    }
    const bob = { id: 'bob', email: 'bob@test.test', name: 'bob' };
    assert.deepEqual(await resultOf(storage.user({ userId: 'bob' })), bob);
    assert.equal(await resultOf(storage.user({ userId: 'unknown' })), null);
  },
  'a caller by session is told when the session ends, and a caller by token is not': async (storage) => {
    await resultOf(storage.startSession(newSession('ann', 'ends', { expiresAt: after(1234) }), null));
    for (const [credentials, sessionExpiresAt] of [
      [bySession('ends-next'), after(1)],
      [bySession('ends'), after(1234)],
      [byBoth('ends', 'unknown'), after(1234)],
      [byToken('valid'), null],
      [byBoth('ends', 'valid'), null],
    ] as const)
      assert.deepEqual(await resultOf(storage.caller(credentials)), { userId: 'ann', sessionExpiresAt });
  },
};

/** Every read of the port, for a finding and a repository that both tenants have. */
const everyRead = {
  repos: (storage: Storage, by: PresentedCredentials, known?: Version) => storage.repos(by, known),
  findings: (storage: Storage, by: PresentedCredentials, known?: Version) =>
    storage.findings(by, firstPage, known),
  'findings of a repository': (storage: Storage, by: PresentedCredentials, known?: Version) =>
    storage.findings(by, { ...firstPage, repoId: 'same' }, known),
  'no findings': (storage: Storage, by: PresentedCredentials, known?: Version) =>
    storage.findings(by, { ...firstPage, offset: 500 }, known),
  finding: (storage: Storage, by: PresentedCredentials, known?: Version) =>
    storage.finding(by, 'same', known),
  prs: (storage: Storage, by: PresentedCredentials, known?: Version) => storage.prs(by, firstPage, known),
} satisfies Readonly<
  Record<string, (storage: Storage, by: PresentedCredentials, known?: Version) => ReadResult<unknown>>
>;

/** What each read finds, with its version. */
const everythingFound = async (storage: Storage, by: PresentedCredentials) =>
  Promise.all(
    Object.entries(everyRead).map(async ([name, read]) => {
      const found = await resultOf<Found<unknown>>(read(storage, by));
      if ('unchanged' in found) assert.fail(`${name}: \`unchanged\` to a read that knows no version`);
      return { name, read, version: found.version, rows: found.rows };
    }),
  );

/** Asserts that a read that knows a version finds rows all the same. */
const assertRows = (name: string, found: Found<unknown>, rows: unknown): void => {
  if ('unchanged' in found) assert.fail(`${name}: \`unchanged\`, but the version is not that of these rows`);
  assert.deepEqual(found.rows, rows, name);
};

/** When rows may be said to be unchanged. A storage that never says so passes all of them. */
export const versionCases: Checks = {
  'a version stands for the same rows': async (storage) => {
    for (const { name, read, version, rows } of await everythingFound(storage, bySession('good'))) {
      if (version === null) continue;
      const again = await resultOf<Found<unknown>>(read(storage, bySession('good'), version));
      assert.equal(again.caller.userId, 'ann', name);
      if (!('unchanged' in again)) assertRows(name, again, rows);
    }
  },
  'a version is that of one user, and what is none finds rows': async (storage) => {
    const bobs = await everythingFound(storage, bySession('bobs'));
    for (const [index, { name, read, version }] of (
      await everythingFound(storage, bySession('good'))
    ).entries()) {
      for (const known of [version, '', '0', 'x', '\u0000', '-9223372036854775809']) {
        if (known === null) continue;
        const found = await resultOf<Found<unknown>>(read(storage, bySession('bobs'), known));
        assert.equal(found.caller.userId, 'bob', name);
        assertRows(name, found, bobs[index]?.rows);
      }
    }
  },
  'whatever version is known, credentials have to be valid': async (storage) => {
    const found = await everythingFound(storage, bySession('good'));
    await resultOf(storage.endSession(hashSecret('good')));
    for (const { read, version } of found)
      assert.deepEqual(
        await read(storage, bySession('good'), version ?? ''),
        E.left({ _tag: 'Unauthorized' }),
      );
  },
  'a version does not come back for other rows of a user who was deleted and signs up again': async (
    storage,
  ) => {
    const account = await newAccount('again');
    const rowsOf = (change: string): NewAccount['rows'] => ({
      ...account.rows,
      repos: account.rows.repos.map((row) => ({ ...row, owner: change })),
      fixDrafts: account.rows.fixDrafts.map((row) => ({ ...row, package: change })),
      pullRequests: account.rows.pullRequests.map((row) => ({ ...row, branch: change })),
    });
    await resultOf(storage.signUp({ ...account, rows: rowsOf('first') }, null));
    const before = await everythingFound(storage, bySession('again'));
    await resultOf(storage.deleteAccount({ userId: 'again' }));
    await resultOf(storage.signUp({ ...account, rows: rowsOf('other') }, null));
    for (const [index, { name, read, rows }] of (
      await everythingFound(storage, bySession('again'))
    ).entries()) {
      const known = before[index]?.version ?? null;
      if (known === null || isDeepStrictEqual(rows, before[index]?.rows)) continue;
      assertRows(name, await resultOf<Found<unknown>>(read(storage, bySession('again'), known)), rows);
    }
  },
};

/** Sign-ups, logins and logouts. */
export const sessionCases: Checks = {
  'a sign-up creates a tenant with a session and rows, and ends another session': async (storage) => {
    await resultOf(storage.signUp(await newAccount('new', 'Émile@new.test'), hashSecret('good')));
    await assertSessions(storage, { new: 'new', good: 'nobody' });
    assert.equal((await resultOf(storage.userByEmail('e\u0301MILE@NEW.test')))?.id, 'new');
    const [only] = await rowsFound(storage.repos(bySession('new')));
    assert.deepEqual(
      [only?.repo, only?.lastScan?.id, only?.openPrCount, only?.openFixDraftId, only?.openAdvisoryCount],
      [newAccountRows.repos[0], 'same', 1, 'same', 1],
    );
    const { rows } = await rowsFound(storage.findings(bySession('new'), firstPage));
    assert.deepEqual(rows, newAccountRows.fixDrafts);
    assert.equal((await rowsFound(storage.finding(bySession('new'), 'same')))?.prCount, 1);
    assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'new' })), []);
  },
  'a sign-up with a taken address is refused and changes nothing': async (storage) => {
    await resultOf(storage.signUp(await newAccount('new'), null));
    for (const email of ['new@new.test', 'NEW@NEW.TEST', 'Ann@test.test']) {
      const taken = await storage.signUp(await newAccount('late', email), hashSecret('good'));
      assert.deepEqual(taken, E.left({ _tag: 'EmailTaken' }), email);
    }
    assert.equal(await resultOf(storage.user({ userId: 'late' })), null);
    await assertSessions(storage, { late: 'nobody', good: 'ann' });
  },
  'of many concurrent sign-ups with one address, exactly one succeeds': async (storage) => {
    const ids = Array.from({ length: 12 }, (_, i) => `u${i}`);
    const accounts = await Promise.all(ids.map((id) => newAccount(id, 'same@new.test')));
    const results = await Promise.all(accounts.map((each) => storage.signUp(each, null)));
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
  'above the session limit, the origin with most sessions loses its oldest': async (storage) => {
    const [quiet, busy, busier] = ['a'.repeat(16), 'b'.repeat(16), 'c'.repeat(16)];
    await resultOf(storage.signUp(await newAccount('new'), null));
    await start(storage, 'new', 'early', 1, quiet);
    for (let i = 0; i < maxSessions; i += 1)
      await start(storage, 'new', `s${i}`, i + 2, i % 3 === 0 ? busy : busier);
    // The first two of `busier` have made room for the last two.
    await assertSessions(storage, { new: 'new', early: 'new', s0: 'new', s1: 'nobody', s2: 'nobody' });
    await start(storage, 'new', 'elsewhere', maxSessions + 3, 'd'.repeat(16));
    await start(storage, 'new', 'again', maxSessions + 4, quiet);
    const kept = { new: 'new', early: 'new', elsewhere: 'new', again: 'new', s0: 'new', s3: 'new' };
    await assertSessions(storage, { ...kept, s4: 'nobody', s5: 'nobody', s7: 'new' });
  },
  'concurrent logins at the session limit all succeed, and the limit is kept': async (storage) => {
    const values = Array.from({ length: maxSessions + 40 }, (_, i) => `s${i}`);
    for (const [i, value] of values.slice(0, maxSessions).entries()) await start(storage, 'bob', value, i);
    const late = values.slice(maxSessions);
    await Promise.all(late.map((value, i) => start(storage, 'bob', value, maxSessions + i)));
    const callers = await Promise.all(values.map((value) => storage.caller(bySession(value))));
    assert.ok(callers.filter(E.isRight).length <= maxSessions);
    assert.ok(callers.slice(maxSessions).every(E.isRight), 'the new sessions are valid');
  },
};

/** Starts a session so many milliseconds after `now`. */
const start = (storage: Storage, userId: string, value: string, at: number, origin: string | null = null) => {
  const times = { createdAt: after(at), expiresAt: after(100_000) };
  return resultOf(storage.startSession(newSession(userId, value, { ...times, origin }), null));
};

const mint = (storage: Storage, ...token: Parameters<typeof newApiToken>) =>
  resultOf(storage.addApiToken(newApiToken(...token)));

const revoke = (storage: Storage, userId: string, id: string, at = 0) =>
  resultOf(storage.revokeApiToken({ userId }, id, after(at)));

/** API tokens: listing, limits, revocation and last use. */
export const apiTokenCases: Checks = {
  'tokens in any state are listed newest first, to their owner alone': async (storage) => {
    const added = newApiToken('bob', 'new', { createdAt: after(1), expiresAt: after(2), name: 'é\n"' });
    await resultOf(storage.addApiToken(added));
    const [first, ...others] = await resultOf(storage.apiTokens({ userId: 'bob' }));
    assert.deepEqual(first, apiTokenProfile(added), 'without its hash');
    assert.equal(others.map(({ id }) => id).join(), 'tok-valid');
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
    assert.equal(await revoke(storage, 'bob', 'tok-expires-next'), false);
    assert.equal(await revoke(storage, 'bob', 'tok-valid'), true);
    assert.equal(await revoke(storage, 'bob', 'tok-valid', 5), true);
    for (const unknown of ['nope', '', '\u0000']) {
      assert.equal(await revoke(storage, 'bob', unknown), false);
    }
    assert.equal(await callerOf(storage, byToken('bobs-token')), 'nobody');
    assert.equal(await callerOf(storage, byToken('valid')), 'ann');
    assert.equal((await resultOf(storage.apiTokens({ userId: 'bob' })))[0]?.revokedAt, after(0));
    assert.equal(await revoke(storage, 'ann', 'tok-revoked-next'), true);
    assert.equal(await callerOf(storage, byToken('revoked-next')), 'nobody');
  },
  'the limit of active tokens is kept, even when many are added concurrently': async (storage) => {
    const added = Array.from({ length: maxActiveApiTokens + 5 }, (_, i) => newApiToken('bob', `t${i}`));
    const results = await Promise.all(added.map((each) => storage.addApiToken(each)));
    const refused = results.filter(E.isLeft);
    assert.equal(refused.length, 6, 'one existed already');
    for (const { left } of refused) assert.deepEqual(left, { _tag: 'TooManyApiTokens' });
    await revoke(storage, 'bob', 'tok-valid');
    await mint(storage, 'bob', 'again');
  },
  'above the token limit, the oldest inactive token is deleted first': async (storage) => {
    for (let i = 0; i < maxApiTokens + 3; i += 1) {
      await mint(storage, 'bob', `t${i}`, { createdAt: after(i - 1000) });
      await revoke(storage, 'bob', `tok-t${i}`, i - 1000);
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
    const use = (milliseconds: number) =>
      rowsFound(storage.repos(byToken('bobs-token', after(milliseconds))));
    await resultOf(storage.caller(byToken('bobs-token')));
    await rowsFound(storage.repos(bySession('bobs')));
    assert.equal(await lastUse(), 'null');
    await use(0);
    await eventually(lastUse, after(0), timeLimit);
    await use(59_999);
    assert.equal(await lastUse(), after(0));
    await use(60_000);
    await eventually(lastUse, after(60_000), timeLimit);
  },
};

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
    const expected = values.map((_, i) => (i === winner ? 'new' : 'nobody'));
    assert.deepEqual(await callersOf(storage, values), expected);
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
    assert.equal((await rowsFound(storage.findings(bySession('again'), firstPage))).total, 1);
  },
  'a deleted account gets no session, no API token and no new password': async (storage) => {
    const from = await twins(storage);
    await resultOf(storage.deleteAccount({ userId: 'new' }));
    await resultOf(storage.startSession(newSession('new', 'late'), hashSecret('good')));
    const minted = await storage.addApiToken(newApiToken('new', 'late-token'));
    assert.deepEqual(minted, E.left({ _tag: 'Unauthorized' }));
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
  for (const userId of ['new', 'twin']) await mint(storage, userId, `${userId}-token`, { id: 'tok-same' });
  return account.user.passwordHash;
};

const twinIsUntouched = async (storage: Storage): Promise<void> => {
  assert.equal(await callerOf(storage, bySession('twin')), 'twin');
  assert.equal(await callerOf(storage, byToken('twin-token')), 'twin');
  assert.notEqual(await resultOf(storage.userByEmail('twin@new.test')), null);
  const { rows } = await rowsFound(storage.findings(bySession('twin'), firstPage));
  assert.deepEqual(rows, newAccountRows.fixDrafts);
};

const isGone = async (storage: Storage): Promise<void> => {
  await assertSessions(storage, { new: 'nobody', second: 'nobody' });
  assert.equal(await callerOf(storage, byToken('new-token')), 'nobody');
  assert.equal(await resultOf(storage.userByEmail('new@new.test')), null);
  assert.deepEqual(await resultOf(storage.apiTokens({ userId: 'new' })), []);
};
