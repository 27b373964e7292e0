import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { apiTokenProfile } from '../../../src/accounts/account-records.js';
import type { NewAccount, Storage } from '../../../src/accounts/account-storage.js';
import { newSession } from '../../../src/accounts/sessions-and-tokens.js';
import { hashSecret } from '../../../src/api/credentials.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import type { Dataset } from '../../../src/fixtures/dataset.js';
import { fileStateStore } from '../../../src/fixtures/file-state-store.js';
import { memoryStateStore, type StateStore } from '../../../src/fixtures/state-store.js';
import { resultOf, rowsFound } from '../../../src/storage-kit/conformance/conformance-case.js';
import { aDraft, aRepo, aScan, aSession, aToken, at, aUser, dataset, now } from '../../_data.js';
import { aFixtureStorage, aStorage, bySession, byToken, hashCheaply } from '../../_storage.js';
import { directoryWith } from './_directory.js';
import { faultyWrites } from './_faulty-writes.js';

const rows = dataset({
  user: aUser('template'),
  repos: [aRepo('r')],
  scans: [aScan('s', 'r')],
  fixDrafts: [aDraft('d', 'r')],
});

const account = async (name: string, moment = now): Promise<NewAccount> => ({
  user: { id: name, email: `${name}@new.test`, name, passwordHash: await hashCheaply(name) },
  session: { ...newSession(name, at(moment), null).record, hash: hashSecret(name) },
  rows: { repos: rows.repos, scans: rows.scans, fixDrafts: rows.fixDrafts, pullRequests: [] },
  asOf: timestampAt(at(moment)),
});

const fixtures: readonly Dataset[] = [
  dataset({
    user: aUser('a'),
    sessions: [aSession('cookie')],
    apiTokens: [aToken('token')],
    repos: [aRepo('own')],
  }),
];

const sessionHolds = async (storage: Storage, value: string): Promise<boolean> =>
  E.isRight(await storage.caller(bySession(value)));

const inFolder = async (folder: string): Promise<StateStore> => resultOf(fileStateStore(folder));

/** The name of the file of an account. */
const fileOf = (userId: string): string => `${hashSecret(userId)}.json`;

const aNewToken = (id: string, userId: string) => ({
  id,
  userId,
  name: id,
  prefix: 'triage_',
  hash: hashSecret(id),
  createdAt: timestampAt(at(now)),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
});

test('a folder restores tenants, sessions, tokens, ended sessions and revoked tokens', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage: before, close } = aFixtureStorage(fixtures, { stateStore: await inFolder(folder) });
  const ann = await account('ann');
  await resultOf(before.signUp(ann, null));
  await resultOf(before.endSession(hashSecret('cookie')));
  await resultOf(before.revokeApiToken({ userId: 'a' }, 'tok-token', timestampAt(at(now))));
  await resultOf(before.addApiToken(aNewToken('ci', 'ann')));
  await resultOf(before.repos(byToken('ci')));

  await close();

  const later = at(now) + 3 * 24 * 60 * 60 * 1000;
  const after = aStorage(fixtures, { stateStore: await inFolder(folder), clock: () => later });
  t.true(await sessionHolds(after, 'ann'));
  t.false(await sessionHolds(after, 'cookie'));
  t.is((await resultOf(after.apiTokens({ userId: 'a' })))[0]?.revokedAt ?? '', now);
  t.deepEqual(await resultOf(after.apiTokens({ userId: 'ann' })), [
    { ...apiTokenProfile(aNewToken('ci', 'ann')), lastUsedAt: timestampAt(at(now)) },
  ]);
  t.deepEqual(await resultOf(after.userByEmail('ANN@new.test')), ann.user);
  t.is((await resultOf(after.user({ userId: 'ann' })))?.name, 'ann');
  const [repo] = await rowsFound(after.repos(bySession('ann', timestampAt(later))));
  t.is<string | undefined, string>(
    repo?.lastScan?.startedAt,
    timestampAt(later - 60 * 60 * 1000),
    'timestamps are shifted as on the first day',
  );
});

test('each session of the fixtures stays ended when others end', async (t) => {
  const storage = aStorage([
    dataset({ user: aUser('a'), sessions: ['one', 'two', 'three'].map((value) => aSession(value)) }),
  ]);
  for (const value of ['one', 'two']) await resultOf(storage.endSession(hashSecret(value)));
  t.deepEqual(await Promise.all(['one', 'two', 'three'].map((value) => sessionHolds(storage, value))), [
    false,
    false,
    true,
  ]);
});

/** Fixtures with a folder whose writes are counted and fail while there is a cause. */
const countedStorage = async (t: ExecutionContext) => {
  const folder = await directoryWith(t, {});
  const writes = faultyWrites();
  const store = fileStateStore(folder, { replace: writes.replace });
  const { storage, close } = aFixtureStorage(fixtures, { stateStore: await resultOf(store) });
  return { storage, close, writes, folder };
};

test('what changes nothing is not written', async (t) => {
  const { storage, close, writes } = await countedStorage(t);
  await resultOf(storage.endSession(hashSecret('unknown')));
  t.false(await resultOf(storage.revokeApiToken({ userId: 'a' }, 'unknown', timestampAt(at(now)))));
  t.is(writes.files.length, 0, 'unknown credentials');

  await resultOf(storage.repos(byToken('token')));
  await resultOf(storage.endSession(hashSecret('unknown')));
  t.is(writes.files.length, 0, 'the use of a token alone');

  await resultOf(storage.endSession(hashSecret('cookie')));
  await resultOf(storage.revokeApiToken({ userId: 'a' }, 'tok-token', timestampAt(at(now))));
  t.is(writes.files.length, 2);
  await resultOf(storage.endSession(hashSecret('cookie')));
  t.true(await resultOf(storage.revokeApiToken({ userId: 'a' }, 'tok-token', timestampAt(at(now)))));
  await storage.signUp(
    { ...(await account('x')), user: { ...(await account('a')).user, email: 'a@test.test' } },
    null,
  );
  await close();
  t.is(writes.files.length, 2, 'the same again');
});

test('while nothing can be written, reads go on; afterwards writes do, without a restart', async (t) => {
  const { storage, writes, folder } = await countedStorage(t);
  await resultOf(storage.signUp(await account('ann'), null));
  const before = await readdir(folder);
  writes.failure = new Error('ENOSPC: no space left on device, write');
  const refused = await storage.signUp(await account('bob'), null);
  t.is(
    E.isLeft(refused) && refused.left._tag === 'StorageUnavailable' ? String(refused.left.cause) : '',
    `Error: ${join(folder, fileOf('bob'))}: the file cannot be written: ENOSPC: no space left on device, write`,
  );
  t.deepEqual(await readdir(folder), before);
  t.true(E.isRight(await storage.repos(bySession('ann'))));
  t.deepEqual(await storage.ready(), E.right({ _tag: 'ReadOnly' }));
  writes.failure = null;
  await resultOf(storage.signUp(await account('bob'), null));
  t.deepEqual(await storage.ready(), E.right(undefined));
  t.true(await sessionHolds(aStorage(fixtures, { stateStore: await inFolder(folder) }), 'bob'));
});

test('a change removes the sessions of the account that have expired', async (t) => {
  const stateStore = memoryStateStore();
  let time = at(now);
  const storage = aStorage(fixtures, { stateStore, clock: () => time });
  const start = (value: string) =>
    resultOf(storage.startSession({ ...newSession('a', time, null).record, hash: hashSecret(value) }, null));
  await start('old');
  time += 8 * 24 * 60 * 60 * 1000;
  await start('new');
  t.deepEqual([...stateStore.current().sessions.keys()], [hashSecret('new')]);
});

test('changed fixtures apply to used tokens, and a revocation of a fixture token is never lost', async (t) => {
  const { storage, replace } = aFixtureStorage(fixtures);
  const token = async () =>
    (await resultOf(storage.apiTokens({ userId: 'a' }))).find(({ id }) => id === 'tok-token');
  await resultOf(storage.repos(byToken('token')));
  t.is((await token())?.lastUsedAt ?? '', now);
  const earlier = '2026-11-20T01:00:00.000Z';
  replace([dataset({ user: aUser('a'), apiTokens: [aToken('token', { revokedAt: earlier })] })]);
  t.is((await token())?.revokedAt ?? '', earlier);
  replace([dataset({ user: aUser('a') })]);
  t.is(await token(), undefined);

  replace(fixtures);
  await resultOf(storage.revokeApiToken({ userId: 'a' }, 'tok-token', timestampAt(at(now))));
  for (let i = 0; i < 120; i += 1) {
    await resultOf(storage.addApiToken(aNewToken(`t${i}`, 'a')));
    await resultOf(storage.revokeApiToken({ userId: 'a' }, `t${i}`, timestampAt(at(now))));
  }
  t.is((await token())?.revokedAt ?? '', now);
});

test('the last use of a token that is gone from the fixtures is not stored', async (t) => {
  const stateStore = memoryStateStore();
  const { storage, replace } = aFixtureStorage(fixtures, { stateStore });
  await resultOf(storage.repos(byToken('token')));
  replace([dataset({ user: aUser('a'), sessions: [aSession('cookie')] })]);
  await resultOf(storage.endSession(hashSecret('cookie')));
  t.deepEqual(stateStore.current().accounts.get('a')?.tokenUses, []);
});

test('tokens are listed newest first; of the same moment, the one created last', async (t) => {
  const storage = aStorage(fixtures);
  for (const id of ['1', '2', '3']) await resultOf(storage.addApiToken(aNewToken(id, 'a')));
  await resultOf(storage.repos(byToken('1')));
  t.deepEqual(
    (await resultOf(storage.apiTokens({ userId: 'a' }))).map(({ id }) => id),
    ['3', '2', '1', 'tok-token'],
  );
});

test('accounts survive a change of fixtures; a session whose user is gone is invalid', async (t) => {
  const { storage, replace } = aFixtureStorage(fixtures);
  await resultOf(storage.signUp(await account('ann'), null));
  await resultOf(
    storage.startSession({ ...newSession('a', at(now), null).record, hash: hashSecret('mine') }, null),
  );
  replace([dataset({ user: aUser('b') })]);
  t.true(await sessionHolds(storage, 'ann'));
  t.false(await sessionHolds(storage, 'mine'));
  t.false(await sessionHolds(storage, 'cookie'));
});

test('a folder that cannot be read is reported when it is opened', async (t) => {
  const result = await fileStateStore('/nowhere/accounts');
  t.regex(E.isLeft(result) ? (result.left[0] ?? '') : '', /ENOENT.*\/nowhere\/accounts/);
});
