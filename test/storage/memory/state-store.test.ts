import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { hashSecret } from '../../../src/api/credentials.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { type Account, memoryStateStore, stateStore } from '../../../src/fixtures/state-store.js';
import { at, now } from '../../_data.js';

/** A store whose writes end when the test says so. */
const controlled = () => {
  const writes: Readonly<{ account: Account; end: () => void; fail: (cause: Error) => void }>[] = [];
  const store = stateStore(
    [],
    (account) => new Promise((end, fail) => writes.push({ account, end: () => end(), fail })),
  );
  const ended = (userId: string) => store.current().accounts.get(userId)?.endedSessions ?? [];
  return { store, writes, ended };
};

const ending = (value: string) => (account: Account) => {
  const after = { ...account, endedSessions: [...account.endedSessions, hashSecret(value)] };
  return E.right([after, value] as const);
};

/** Lets everything run that needs no write. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('changes of an account follow one another, and each is answered and current after its write', async (t) => {
  const { store, writes, ended } = controlled();
  const answered: string[] = [];
  const all = ['a', 'b', 'c'].map(async (value) => {
    const result = await store.update('u', ending(value));
    if (E.isRight(result)) answered.push(result.right);
  });
  for (const [index, value] of ['a', 'b', 'c'].entries()) {
    await settle();
    t.is(writes.length, index + 1);
    t.is(ended('u').length, index, 'what is not written is not current');
    writes[index]?.end();
    await settle();
    t.is(answered.at(-1), value);
  }
  await Promise.all(all);
  t.deepEqual(ended('u'), ['a', 'b', 'c'].map(hashSecret));
});

test('accounts do not wait for each other', async (t) => {
  const { store, writes, ended } = controlled();
  const slow = store.update('u', ending('a'));
  const quick = store.update('v', ending('b'));
  await settle();
  t.deepEqual(
    writes.map(({ account }) => account.userId),
    ['u', 'v'],
  );
  writes[1]?.end();
  t.deepEqual(await quick, E.right('b'));
  t.deepEqual([ended('u'), ended('v')], [[], [hashSecret('b')]]);
  writes[0]?.end();
  t.deepEqual(await slow, E.right('a'));
});

test('a failed write fails its change alone, and the next one starts from what was written', async (t) => {
  const { store, writes, ended } = controlled();
  const results = ['a', 'b', 'c'].map((value) => store.update('u', ending(value)));
  const cause = new Error('disk full');
  await settle();
  writes[0]?.end();
  await settle();
  writes[1]?.fail(cause);
  await settle();
  writes[2]?.end();
  t.deepEqual(await Promise.all(results), [
    E.right('a'),
    E.left({ _tag: 'StorageUnavailable', cause }),
    E.right('c'),
  ]);
  t.deepEqual(ended('u'), ['a', 'c'].map(hashSecret));
});

test('a change that returns the same account, or an error, is not written', async (t) => {
  const { store, writes } = controlled();
  t.deepEqual(await store.update('u', (account) => E.right([account, 1])), E.right(1));
  t.deepEqual(await store.update('u', () => E.left('no' as const)), E.left('no'));
  t.is(writes.length, 0);
});

test('a change that throws rejects, and the others are written', async (t) => {
  const { store, writes } = controlled();
  const first = store.update('u', ending('a'));
  const broken = store.update('u', () => {
    throw new Error('bug');
  });
  const last = store.update('u', ending('b'));
  const rejected = t.throwsAsync(broken, { message: 'bug' });
  for (const index of [0, 1]) {
    await settle();
    writes[index]?.end();
    await settle();
  }
  await rejected;
  t.deepEqual([await first, await last], [E.right('a'), E.right('b')]);
});

test('an account that its codec refuses is not written: its file could not be read again', async (t) => {
  const store = memoryStateStore();
  const session = {
    id: '',
    userId: 'u',
    hash: hashSecret('x'),
    createdAt: timestampAt(at(now)),
    expiresAt: timestampAt(at(now)),
    origin: null,
  };
  const broken = store.update('u', (account) => E.right([{ ...account, sessions: [session] }, undefined]));
  await t.throwsAsync(broken, { message: 'a change of an account is not valid' });
  t.false(store.current().sessions.has(hashSecret('x')));
});

test('an account of which nothing is left is forgotten', async (t) => {
  const store = memoryStateStore();
  await store.update('u', ending('a'));
  t.is(store.current().accounts.size, 1);
  await store.update('u', (account) => E.right([{ ...account, endedSessions: [] }, undefined]));
  t.is(store.current().accounts.size, 0);
});
