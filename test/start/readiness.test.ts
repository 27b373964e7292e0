import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { NotReady } from '../../src/api/storage-port.js';
import { serve } from '../_server.js';
import { aStorage } from '../_storage.js';

const secret = 'postgres://triage:secret@database/triage';

const table: readonly (readonly [error: NotReady, reason: string, level: string])[] = [
  [
    { _tag: 'StorageUnavailable', cause: new Error(secret) },
    'the storage cannot be reached, or does not answer in time',
    'warn',
  ],
  [{ _tag: 'StorageFailed', cause: new Error(secret) }, 'the storage fails', 'error'],
  [{ _tag: 'RecordBroken', where: secret, problems: [] }, 'the storage fails', 'error'],
  [{ _tag: 'SchemaOlder', missing: ['0002_x'] }, 'the schema is older than this version', 'error'],
  [
    { _tag: 'SchemaNewer', unknown: ['0009_x'], cause: new Error(secret) },
    'the schema is newer than this version',
    'error',
  ],
];

for (const [error, reason, level] of table) {
  test(`/readyz answers 503 with a reason, and the log has the details: ${error._tag}`, async (t) => {
    const storage = { ...aStorage([]), ready: async () => E.left(error) };
    const { ask, logged } = await serve(t, [], { storage });
    const { status, headers, body } = await ask('/readyz');
    t.deepEqual([status, headers.get('retry-after')], [503, '1']);
    t.deepEqual(body, { error: 'Service unavailable', reason });
    t.deepEqual(
      logged.map((entry) => entry.level),
      [level],
    );
    const details = JSON.stringify(logged[0]?.facts);
    t.regex(details, /secret@|000[29]_x/);
  });
}

test('simultaneous requests for /readyz ask the storage once', async (t) => {
  let calls = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ready = async () => {
    calls += 1;
    await released;
    return E.right(undefined);
  };
  const { ask } = await serve(t, [], { storage: { ...aStorage([]), ready } });
  const together = Array.from({ length: 20 }, () => ask('/readyz'));
  await ask('/healthz');
  release();
  for (const { status } of await Promise.all(together)) t.is(status, 200);
  t.is(calls, 1);
});

test('a good answer of /readyz holds for a moment', async (t) => {
  let calls = 0;
  const ready = async () => {
    calls += 1;
    return E.right(undefined);
  };
  const { ask } = await serve(t, [], { storage: { ...aStorage([]), ready } });
  // On a busy machine, a request may take longer than that moment, but not each of many.
  let requests = 0;
  for (; requests < 100 && calls === requests; requests += 1) await ask('/readyz');
  t.true(calls < requests);
});

test('/readyz asks a storage again after it has thrown', async (t) => {
  let calls = 0;
  const ready = async () => {
    calls += 1;
    throw new Error('thrown');
  };
  const { ask } = await serve(t, [], { storage: { ...aStorage([]), ready } });
  t.is((await ask('/readyz')).status, 500);
  t.is((await ask('/readyz')).status, 500);
  t.is(calls, 2);
});

for (const [what, reported, notice, facts] of [
  [
    'its schema is newer',
    { _tag: 'SchemaNewer', unknown: ['0009_x'] },
    'the schema is newer than this version',
    { unknown: ['0009_x'] },
  ],
  [
    'it is read-only',
    { _tag: 'ReadOnly' },
    'the storage is read-only: reads work, and logins, sign-ups and changes fail',
    {},
  ],
  [
    'a part of it is away',
    { _tag: 'WorkersAway', workers: ['worker-2:5432'] },
    'some workers of the database are away, and the requests of their tenants fail',
    { workers: ['worker-2:5432'] },
  ],
] as const) {
  test(`/readyz answers 200 with a notice for a storage that works although ${what}, and the log has the details`, async (t) => {
    const { ask, logged } = await serve(t, [], {
      storage: { ...aStorage([]), ready: async () => E.right(reported) },
    });
    const { status, body } = await ask('/readyz');
    t.deepEqual([status, body], [200, { status: 'ok', notice }]);
    t.is((await ask('/readyz')).status, 200);
    t.deepEqual(logged, [{ level: 'warn', event: `ready, but ${notice}`, facts }]);
  });
}

test('a server whose changed fixtures are invalid is ready, and says so', async (t) => {
  let hasReloadFailed = true;
  const { ask } = await serve(t, [], { hasReloadFailed: () => hasReloadFailed });
  const notice = 'the changed fixtures are invalid; the previous ones are served';
  const problem = await ask('/readyz');
  t.deepEqual([problem.status, problem.body], [200, { status: 'ok', notice }]);
  hasReloadFailed = false;
  t.deepEqual((await ask('/readyz')).body, { status: 'ok' });
});
