import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import {
  type CallFailure,
  logStorageOutages,
  readyWithin,
  type StorageCall,
} from '../../src/accounts/storage-calls.js';
import type { Ready } from '../../src/api/storage-port.js';

/** A log of failures, with a clock that the test sets. */
const watched = () => {
  const logged: unknown[] = [];
  const clock = { now: 0 };
  const observe = logStorageOutages(
    (level, event, details) => void logged.push([level, event, details]),
    () => clock.now,
  );
  const call = (failure: CallFailure | null, at: number, name: StorageCall = 'findings'): void => {
    clock.now = at;
    observe(name)(failure);
  };
  return { logged, call };
};

const down: CallFailure = { _tag: 'StorageUnavailable', cause: new Error('down') };
const recovered = (kind: string) => ['info', 'storage.recovered', { kind }];
const unavailable = [
  'warn',
  'storage.failed',
  { kind: 'reads', error: 'StorageUnavailable', call: 'findings', cause: 'Error: down' },
];

test('failures of the storage are a line a second at most, and a success ends them with another', (t) => {
  const { logged, call } = watched();
  call(null, 0);
  for (let at = 0; at < 3000; at += 10) call(down, at);
  t.deepEqual(logged, Array(3).fill(unavailable));
  call(null, 3000);
  call(null, 3001);
  t.deepEqual(logged.slice(3), [recovered('reads')]);
});

test('failures that come and go are two lines a second at most', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at < 2000; at += 10) call(at % 20 === 0 ? down : null, at);
  t.deepEqual(logged, [unavailable, recovered('reads'), unavailable, recovered('reads')]);
});

test('a read that succeeds does not end the failures of changes', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'StorageReadOnly', cause: 'standby' }, 0, 'signUp');
  call(null, 1, 'findings');
  t.is(logged.length, 1);
  call(null, 2, 'endSession');
  t.deepEqual(logged[1], recovered('changes'));
});

test('the question whether the storage is ready is neither a read nor a change', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'SchemaOlder', missing: ['0002_x'] }, 0, 'ready');
  call(null, 1, 'findings');
  call(null, 2, 'ready');
  const details = { kind: 'readiness', error: 'SchemaOlder', call: 'ready', missing: ['0002_x'] };
  t.deepEqual(logged, [['error', 'storage.failed', details], recovered('readiness')]);
});

test('a storage that is late counts as unavailable in time, and is not asked again before it answers', async (t) => {
  const asked: ((answer: Ready) => void)[] = [];
  const ready = readyWithin(1, { ready: () => new Promise((resolve) => asked.push(resolve)) });
  for (const answered of [...(await Promise.all([ready(), ready()])), await ready()])
    t.like(answered, { left: { _tag: 'StorageUnavailable' } });
  t.is(asked.length, 1);
  asked[0]?.(E.right(undefined));
  await new Promise(setImmediate);
  void ready();
  t.is(asked.length, 2);
});

test('a failed storage is logged as an error, and failures of single requests are left to their own entries', (t) => {
  const { logged, call } = watched();
  call({ _tag: 'RecordBroken', where: 'table prs', problems: [] }, 0);
  call({ _tag: 'Unexpected', cause: 'thrown' }, 0);
  t.deepEqual(logged, []);
  call({ _tag: 'StorageFailed', cause: 'no such function' }, 0);
  const details = { kind: 'reads', error: 'StorageFailed', call: 'findings', cause: 'no such function' };
  t.deepEqual(logged, [['error', 'storage.failed', details]]);
});
