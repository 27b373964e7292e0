import test from 'ava';
import { logStorageOutages } from '../../src/server/start-server.js';
import type { CallFailure } from '../../src/storage/storage-calls.js';

/** A log of outages, with a clock that the test sets. */
const watched = () => {
  const logged: unknown[] = [];
  const clock = { now: 0 };
  const observe = logStorageOutages(
    (level, event, details) => void logged.push([level, event, details]),
    () => clock.now,
  );
  const call = (failure: CallFailure | null, at = clock.now): void => {
    clock.now = at;
    observe('findings')(failure);
  };
  return { logged, call };
};

const down: CallFailure = { _tag: 'StorageUnavailable', cause: new Error('down') };
const failed: CallFailure = { _tag: 'StorageFailed', cause: 'no such function' };

const began = [
  'warn',
  'storage.outage.began',
  { kind: 'unavailable', call: 'findings', cause: 'Error: down' },
];

test('an outage is one line at its begin and one at its end, which counts the failures', (t) => {
  const { logged, call } = watched();
  call(null);
  for (let at = 100; at < 200; at += 1) call(down, at);
  t.deepEqual(logged, [began]);
  call(null, 1600);
  t.deepEqual(logged.slice(1), [
    ['info', 'storage.outage.ended', { kind: 'unavailable', ms: 1500, failures: 100 }],
  ]);
  call(null, 1700);
  t.is(logged.length, 2);
});

test('a long outage is mentioned once a minute', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at <= 150_000; at += 1000) call(down, at);
  t.deepEqual(logged, [
    began,
    ...[61, 121].map((failures) => [
      'warn',
      'storage.outage.continues',
      { kind: 'unavailable', call: 'findings', cause: 'Error: down', ms: (failures - 1) * 1000, failures },
    ]),
  ]);
});

test('failures that come and go are one outage, which ends after ten seconds without one', (t) => {
  const { logged, call } = watched();
  for (let at = 0; at < 10_000; at += 100) {
    call(down, at);
    call(null, at + 50);
  }
  t.is(logged.length, 3, 'the first outage, and the begin of the second');
  call(null, 19_899);
  t.is(logged.length, 3);
  call(null, 19_900);
  t.deepEqual(logged[3], ['info', 'storage.outage.ended', { kind: 'unavailable', ms: 19_800, failures: 99 }]);
});

test('a storage that refuses calls is an outage of its own, with the level error', (t) => {
  const { logged, call } = watched();
  call(failed);
  call(down);
  call(null);
  t.deepEqual(
    logged.map((line) => Array.isArray(line) && line.slice(0, 2)),
    [
      ['error', 'storage.outage.began'],
      ['warn', 'storage.outage.began'],
      ['info', 'storage.outage.ended'],
      ['info', 'storage.outage.ended'],
    ],
  );
});

test('a broken record, an older schema and what is thrown neither begin nor end an outage', (t) => {
  const { logged, call } = watched();
  const others: readonly CallFailure[] = [
    { _tag: 'RecordBroken', where: 'table prs', problems: [] },
    { _tag: 'SchemaOlder', missing: [] },
    { _tag: 'Unexpected', cause: 'thrown' },
  ];
  for (const other of others) call(other);
  t.deepEqual(logged, []);
  call(down);
  for (const other of others) call(other);
  t.deepEqual(logged, [began]);
});
