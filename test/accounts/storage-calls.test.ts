import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type StorageCall, watchedStorage } from '../../src/accounts/storage-calls.js';
import type { Ready } from '../../src/api/storage-port.js';
import { aStorage } from '../_storage.js';

const names: readonly StorageCall[] = ['findings', 'signUp', 'endSession', 'ready'];

/** A log of the failures of a storage, which calls it with what it answers at a moment. */
const watched = () => {
  const logged: unknown[] = [];
  const clock = { now: 0 };
  let answer: () => Promise<unknown> = async () => E.right(undefined);
  const answers = Object.fromEntries(names.map((name) => [name, () => answer()]));
  const storage = watchedStorage(Object.assign({ ...aStorage([]) }, answers), {
    log: (level, event, details) => void logged.push([level, event, details]),
    elapsed: () => clock.now,
  });
  const call = async (failure: object | null, at: number, name: StorageCall = 'findings') => {
    clock.now = at;
    answer = async () => (failure === null ? E.right(undefined) : E.left(failure));
    await Reflect.apply(storage[name], undefined, []);
  };
  const throwNext = async () => {
    answer = () => Promise.reject(new Error('thrown'));
    await Reflect.apply(storage.findings, undefined, []).catch(() => {});
  };
  return { logged, call, throwNext };
};

const down = { _tag: 'StorageUnavailable', cause: new Error('down') };
const recovered = (kind: string) => ['info', 'storage.recovered', { kind }];
const unavailable = [
  'warn',
  'storage.failed',
  { kind: 'reads', error: 'StorageUnavailable', call: 'findings', cause: 'Error: down' },
];

test('failures of the storage are logged in one line a second at most, and a success in another', async (t) => {
  const { logged, call } = watched();
  await call(null, 0);
  for (let at = 0; at < 3000; at += 10) await call(down, at);
  t.deepEqual(logged, Array(3).fill(unavailable));
  await call(null, 3000);
  await call(null, 3001);
  t.deepEqual(logged.slice(3), [recovered('reads')]);
});

test('reads, changes and the readiness check fail and recover apart from each other', async (t) => {
  const { logged, call } = watched();
  await call({ _tag: 'StorageReadOnly', cause: 'standby' }, 0, 'signUp');
  await call({ _tag: 'SchemaOlder', missing: ['0002_x'] }, 1, 'ready');
  await call(null, 2, 'findings');
  t.is(logged.length, 2);
  await call(null, 3, 'endSession');
  await call(null, 4, 'ready');
  const details = { kind: 'readiness', error: 'SchemaOlder', call: 'ready', missing: ['0002_x'] };
  t.deepEqual(logged.slice(1), [
    ['error', 'storage.failed', details],
    recovered('changes'),
    recovered('readiness'),
  ]);
});

test('a storage that is late counts as unavailable in time, and is not asked again before it answers', async (t) => {
  const asked: ((answer: Ready) => void)[] = [];
  const { ready } = watchedStorage(
    { ...aStorage([]), ready: () => new Promise((resolve) => asked.push(resolve)) },
    { log: () => {}, elapsed: () => 0, readyTimeout: 1 },
  );
  for (const answered of [...(await Promise.all([ready(), ready()])), await ready()])
    t.like(answered, { left: { _tag: 'StorageUnavailable' } });
  t.is(asked.length, 1);
  asked[0]?.(E.right(undefined));
  await new Promise(setImmediate);
  void ready();
  t.is(asked.length, 2);
});

test('a failed storage is logged as an error, and failures of single requests are left to their own entries', async (t) => {
  const { logged, call, throwNext } = watched();
  await call({ _tag: 'RecordBroken', where: 'table prs', problems: [] }, 0);
  await throwNext();
  t.deepEqual(logged, []);
  await call({ _tag: 'StorageFailed', cause: 'no such function' }, 0);
  const details = { kind: 'reads', error: 'StorageFailed', call: 'findings', cause: 'no such function' };
  t.deepEqual(logged, [['error', 'storage.failed', details]]);
});
