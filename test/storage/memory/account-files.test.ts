import { mkdir, readdir, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { NewAccount, Storage } from '../../../src/accounts/account-storage.js';
import { newSession } from '../../../src/accounts/sessions-and-tokens.js';
import { hashSecret } from '../../../src/api/credentials.js';
import { replaceFile } from '../../../src/common/replace-file.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { completeKept } from '../../../src/fixtures/complete-fixture.js';
import { type FileStateOptions, fileStateStore } from '../../../src/fixtures/file-state-store.js';
import { resultOf } from '../../../src/storage-kit/conformance/conformance-case.js';
import { newAccountRows } from '../../../src/storage-kit/conformance/sample-tenants.js';
import { aSession, at, aUser, dataset, now } from '../../_data.js';
import { aFixtureStorage, bySession, hashCheaply } from '../../_storage.js';
import { directoryWith } from './_directory.js';
import { faultyWrites } from './_faulty-writes.js';

const account = async (id: string, email = `${id}@new.test`): Promise<NewAccount> => ({
  user: { id, email, name: id, passwordHash: await hashCheaply(id) },
  session: sessionOf(id, id),
  rows: { repos: [], scans: [], fixDrafts: [], pullRequests: [] },
  asOf: timestampAt(at(now)),
});

const sessionOf = (userId: string, value: string) => ({
  ...newSession(userId, at(now), null).record,
  hash: hashSecret(value),
});

const fixtures = [dataset({ user: aUser('a'), sessions: [aSession('cookie')] })];

type Options = FileStateOptions & Readonly<{ maxSignUps?: number }>;

/** Opens a folder of accounts. `lines` collects what is logged. */
const opened = async (folder: string, { maxSignUps = 100, ...options }: Options = {}) => {
  const lines: unknown[] = [];
  const log: FileStateOptions['log'] = (level, event, details) => lines.push({ level, event, ...details });
  const stateStore = await resultOf(fileStateStore(folder, { log, ...options }));
  const events: string[] = [];
  return { ...aFixtureStorage(fixtures, { stateStore, maxSignUps, events }), lines, events, stateStore };
};

const fileOf = (userId: string): string => `${hashSecret(userId)}.json`;

const works = async (storage: Storage, ...values: readonly string[]): Promise<readonly boolean[]> =>
  Promise.all(values.map(async (value) => E.isRight(await storage.caller(bySession(value)))));

test('each account that has something to keep has a file, which its user alone may read', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage } = await opened(folder);
  await resultOf(storage.signUp(await account('ann'), null));
  await resultOf(storage.endSession(hashSecret('cookie')));
  t.deepEqual((await readdir(folder)).sort(), [fileOf('a'), fileOf('ann')].sort());
  for (const name of await readdir(folder)) t.is((await stat(join(folder, name))).mode & 0o777, 0o600);
  t.deepEqual(await works((await opened(folder)).storage, 'ann', 'cookie'), [true, false]);
});

test('an account of which nothing is left to keep has no file', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage } = await opened(folder);
  await resultOf(storage.startSession(sessionOf('a', 'mine'), null));
  t.deepEqual(await readdir(folder), [fileOf('a')]);
  await resultOf(storage.endSession(hashSecret('mine')));
  t.deepEqual(await readdir(folder), []);
});

test('ids may hold anything that a name of a file may not', async (t) => {
  const folder = await directoryWith(t, {});
  const ids = ['../../x', 'a/b', 'CON', 'nul.txt', '.', 'x'.repeat(200), 'ünï\u0001', 'A', 'a\\b'];
  const { storage } = await opened(folder);
  for (const [index, id] of ids.entries())
    await resultOf(storage.signUp(await account(id, `u${index}@new.test`), null));
  const names = await readdir(folder);
  t.is(names.length, ids.length);
  for (const name of names) t.regex(name, /^[0-9a-f]{64}\.json$/);
  t.true((await works((await opened(folder)).storage, ...ids)).every(Boolean));
});

test('other files are ignored, and temporary ones of a process that was killed are removed', async (t) => {
  const temporary = `${fileOf('ann')}.Zx_9-aB3.tmp`;
  const others = ['.DS_Store', 'notes.json', `${fileOf('x')}.bak`, `.${fileOf('x')}`, 'lock'];
  const folder = await directoryWith(
    t,
    Object.fromEntries([temporary, ...others].map((name) => [name, '{'])),
  );
  await mkdir(join(folder, fileOf('folder')));
  const { lines } = await opened(folder);
  t.deepEqual(lines, []);
  t.deepEqual((await readdir(folder)).sort(), [...others, fileOf('folder')].sort());
});

const damages: Readonly<Record<string, (text: string) => string | Buffer>> = {
  empty: () => '',
  'cut off': (text) => text.slice(0, -20),
  'no JSON': () => 'what is this?',
  'not UTF-8': (text) => Buffer.from(text.replace('"name":"', '"name":"\u00e9'), 'latin1'),
  null: () => 'null',
  'of another form': () => '{"userId":"ann"}',
  'with a wrong value': (text) => text.replace('"asOf":"', '"asOf":"never '),
  'with a record of another account': (text) =>
    text.replace('"userId":"ann","hash"', '"userId":"bob","hash"'),
};

for (const [how, damage] of Object.entries(damages)) {
  test(`a damaged file (${how}) is set aside with a line, and all other accounts are there`, async (t) => {
    const folder = await directoryWith(t, {});
    const { storage } = await opened(folder);
    for (const id of ['ann', 'bob']) await resultOf(storage.signUp(await account(id), null));
    const file = join(folder, fileOf('ann'));
    const damaged = damage(await readFile(file, 'utf8'));
    await writeFile(file, damaged);
    const again = await opened(folder);
    t.is(again.lines.length, 1);
    t.like(again.lines[0], {
      level: 'error',
      event: 'the file of an account is damaged and was set aside; all other accounts are there',
      file,
      aside: `${file}.damaged`,
    });
    t.deepEqual(await works(again.storage, 'ann', 'bob'), [false, true]);
    t.deepEqual(await readFile(`${file}.damaged`), Buffer.from(damaged));
    t.deepEqual((await opened(folder)).lines, [], 'once');
  });
}

test('rows that an earlier version has kept get the fields that are new since then', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage } = await opened(folder);
  await resultOf(storage.signUp({ ...(await account('ann')), rows: newAccountRows }, null));
  const file = join(folder, fileOf('ann'));
  const { signUp, ...kept } = JSON.parse(await readFile(file, 'utf8'));
  const [repo] = signUp.rows.repos.map(({ isDemoRow, ...earlier }: { isDemoRow: boolean }) => earlier);
  const earlier = { ...signUp.rows, repos: [repo], scans: [] };
  await writeFile(file, JSON.stringify({ ...kept, signUp: { ...signUp, rows: earlier } }));
  const again = await opened(folder, { completeKept });
  t.deepEqual(again.lines, []);
  const rows = again.stateStore.current().signedUp.get('ann')?.rows;
  t.deepEqual<unknown, unknown>(rows, {
    ...newAccountRows,
    repos: [{ ...repo, isDemoRow: false }],
    scans: [],
  });
});

test('a copy under the name of another account is set aside', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage } = await opened(folder);
  await resultOf(storage.signUp(await account('ann'), null));
  await writeFile(join(folder, fileOf('bob')), await readFile(join(folder, fileOf('ann'))));
  const again = await opened(folder);
  t.like(again.lines[0], { file: join(folder, fileOf('bob')), problem: 'it belongs to another account' });
  t.deepEqual(await works(again.storage, 'ann'), [true]);
});

test('a file that cannot be read is no damage: the folder is refused, and the file stays', async (t) => {
  const folder = await directoryWith(t, { [fileOf('ann')]: '' });
  const file = join(folder, fileOf('ann'));
  // More than Node reads at once.
  await truncate(file, 2 ** 32);
  const refused = await fileStateStore(folder);
  t.regex(E.isLeft(refused) ? refused.left.join() : '', /: the file cannot be read: /);
  t.deepEqual(await readdir(folder), [fileOf('ann')]);
});

test('of two files with one address, the account that signed up first has it, and a line says so', async (t) => {
  const [folder, elsewhere] = [await directoryWith(t, {}), await directoryWith(t, {})];
  for (const [place, ids] of [
    [folder, ['other', 'second']],
    [elsewhere, ['first']],
  ] as const) {
    const { storage } = await opened(place);
    for (const id of ids)
      await resultOf(storage.signUp(await account(id, id === 'other' ? undefined : 'Same@new.test'), null));
  }
  await rename(join(elsewhere, fileOf('first')), join(folder, fileOf('first')));

  const { storage, lines } = await opened(folder);
  t.deepEqual(lines, [
    {
      level: 'warn',
      event: 'accounts have the same e-mail address; logins with it go to the one that signed up first',
      userId: 'first',
      others: ['second'],
    },
  ]);
  t.is((await resultOf(storage.userByEmail('same@NEW.test')))?.id, 'first');
  t.deepEqual(await works(storage, 'first', 'second'), [true, true]);
  const taken = await storage.signUp(await account('third', 'same@new.test'), null);
  t.deepEqual(taken, E.left({ _tag: 'EmailTaken' }));

  await resultOf(storage.deleteAccount({ userId: 'first' }));
  t.is((await resultOf(storage.userByEmail('same@new.test')))?.id, 'second');
  t.deepEqual((await opened(folder)).lines, []);
});

test('a fixture that takes the address of an account has it, and a line says so once', async (t) => {
  const folder = await directoryWith(t, {});
  const { storage, replace, events } = await opened(folder);
  await resultOf(storage.signUp(await account('ann'), null));
  const taking = dataset({ user: { ...aUser('b'), email: 'ANN@new.test' } });
  replace([taking]);
  replace([taking, ...fixtures]);
  const line = 'a fixture has the address of an account that signed up; logins with it go to the fixture';
  t.deepEqual(events, [line]);
  t.is((await resultOf(storage.userByEmail('ann@new.test')))?.id, 'b');
  t.deepEqual(await works(storage, 'ann'), [true]);
  replace(fixtures);
  t.is((await resultOf(storage.userByEmail('ann@new.test')))?.id, 'ann');

  const restarted: string[] = [];
  const stateStore = await resultOf(fileStateStore(folder));
  aFixtureStorage([taking], { stateStore, events: restarted });
  t.deepEqual(restarted, [line]);
});

test('after a restart the oldest sign-up is removed first, whatever the times of the files', async (t) => {
  const folder = await directoryWith(t, {});
  const ids = ['m', 'z', 'b', 'y', 'a2', 'k'];
  const { storage } = await opened(folder);
  for (const id of ids) await resultOf(storage.signUp(await account(id), null));
  // The last one is as old as the first, by the times of the files.
  for (const [index, id] of ids.entries()) await utimes(join(folder, fileOf(id)), 1e9 - index, 1e9 - index);
  await resultOf(storage.startSession(sessionOf('m', 'again'), null));
  const again = await opened(folder, { maxSignUps: 3 });
  await resultOf(again.storage.signUp(await account('new'), null));
  t.deepEqual(await works(again.storage, ...ids, 'new'), [false, false, false, false, true, true, true]);
  t.is((await readdir(folder)).length, 3);
});

test('a removal that cannot be written leaves the tenant, and the sign-up is acknowledged', async (t) => {
  const folder = await directoryWith(t, {});
  const writes = faultyWrites();
  const { storage, events } = await opened(folder, { maxSignUps: 1, replace: writes.replace });
  await resultOf(storage.signUp(await account('ann'), null));
  // A folder in the place of the file cannot be removed as a file.
  await rename(join(folder, fileOf('ann')), join(folder, 'elsewhere'));
  await mkdir(join(folder, fileOf('ann')));
  await resultOf(storage.signUp(await account('bob'), null));
  t.deepEqual(events, ['the oldest signed-up tenant could not be removed']);
  t.deepEqual(await works(storage, 'ann', 'bob'), [true, true]);
});

/** Two accounts, of which the first has the session `ann`; `files` is what was written since. */
const replacing = async (t: ExecutionContext) => {
  const folder = await directoryWith(t, {});
  const writes = faultyWrites();
  const { storage } = await opened(folder, {
    replace: async (file, text) => {
      if (writes.files.length === 1 && writes.failure !== null) throw writes.failure;
      writes.files.push(file);
      await replaceFile(file, text);
    },
  });
  for (const id of ['ann', 'bob']) await resultOf(storage.signUp(await account(id), null));
  writes.files.length = 0;
  return { folder, storage, writes };
};

for (const [what, change] of [
  ['login', async (storage: Storage) => storage.startSession(sessionOf('bob', 'new'), hashSecret('ann'))],
  [
    'sign-up',
    async (storage: Storage) =>
      storage.signUp({ ...(await account('eve')), session: sessionOf('eve', 'new') }, hashSecret('ann')),
  ],
] as const) {
  test(`a ${what} that replaces the session of another account writes the ending first`, async (t) => {
    const { folder, storage, writes } = await replacing(t);
    await resultOf(change(storage));
    t.deepEqual(
      writes.files,
      [fileOf('ann'), fileOf(what === 'login' ? 'bob' : 'eve')].map((name) => join(folder, name)),
    );
    t.deepEqual(await works(storage, 'ann', 'new'), [false, true]);
  });

  test(`a ${what} whose ending is written, but not its session, has ended the other one`, async (t) => {
    const { folder, storage, writes } = await replacing(t);
    writes.failure = new Error('ENOSPC');
    t.like(await change(storage), { left: { _tag: 'StorageUnavailable' } });
    for (const each of [storage, (await opened(folder)).storage])
      t.deepEqual(await works(each, 'ann', 'bob', 'new'), [false, true, false]);
  });
}

test('a login that replaces a session of the same account is one write', async (t) => {
  const { folder, storage, writes } = await replacing(t);
  await resultOf(storage.startSession(sessionOf('bob', 'new'), hashSecret('bob')));
  t.deepEqual(writes.files, [join(folder, fileOf('bob'))]);
  t.deepEqual(await works(storage, 'bob', 'new'), [false, true]);
});

test('what a login writes does not depend on how many accounts there are', async (t) => {
  const folder = await directoryWith(t, {});
  const written: number[] = [];
  const { storage } = await opened(folder, {
    replace: async (_, text) => {
      written.push(text.length);
    },
  });
  for (let i = 0; i < 100; i += 1) {
    if (i % 99 === 0) {
      await resultOf(storage.endSession(hashSecret('mine')));
      written.length = 0;
      await resultOf(storage.startSession(sessionOf('a', 'mine'), null));
      t.is(written.length, 1);
      t.true((written[0] ?? 0) < 1000);
    }
    await resultOf(storage.signUp(await account(`u${i}`), null));
  }
});
