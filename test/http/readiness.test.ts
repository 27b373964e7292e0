import test from 'ava';
import type { Either } from 'fp-ts/lib/Either.js';
import * as E from 'fp-ts/lib/Either.js';
import { readiness } from '../../src/service/health.js';
import type { NotReady, SchemaNewer } from '../../src/storage/port.js';
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
    t.is((await ask('/readyz')).status, 503);
    t.deepEqual(
      logged.map((entry) => entry.level),
      [level],
    );
    const details = JSON.stringify(logged[0]?.facts);
    t.regex(details, /secret@|000[29]_x/);
  });
}

type Ready = Either<NotReady, SchemaNewer | undefined>;

/** Readiness over a storage that answers when it is told to. */
const controlled = (timeLimit = 60_000) => {
  const asked: ((answer: Ready) => void)[] = [];
  const events: string[] = [];
  const ask = readiness(
    { ready: () => new Promise((resolve) => asked.push(resolve)) },
    (_, event) => void events.push(event),
    timeLimit,
  );
  const answer = (with_: Ready): void => asked.at(-1)?.(with_);
  return { ask, asked, answer, events };
};

const down: Ready = E.left({ _tag: 'StorageUnavailable', cause: 'down' });
const older: Ready = E.left({ _tag: 'SchemaOlder', missing: [] });
const ready: Ready = E.right(undefined);

test('questions at the same time are one, and a good answer holds for a moment', async (t) => {
  const { ask, asked, answer } = controlled();
  const together = Array.from({ length: 100 }, ask);
  t.is(asked.length, 1);
  answer(E.right(undefined));
  for (const each of await Promise.all(together)) t.deepEqual(each, { _tag: 'Ready', notice: null });
  t.is((await ask())._tag, 'Ready');
  t.is(asked.length, 1);
});

for (const [what, answers, logged] of [
  ['a bad answer does not hold, and its details are', [down, down, ready], ['the storage cannot be reached']],
  [
    'a schema that does not fit, and one that fits again, is',
    [older, older, ready],
    ['not ready: the schema is older than this version', 'ready again'],
  ],
] as const) {
  test(`${what} logged once`, async (t) => {
    const { ask, asked, answer, events } = controlled();
    for (const each of answers) {
      const answered = ask();
      answer(each);
      t.is((await answered)._tag, E.isRight(each) ? 'Ready' : 'Unready');
    }
    t.is(asked.length, 3);
    t.deepEqual(events, logged);
  });
}

test('a storage that throws is asked again', async (t) => {
  let calls = 0;
  const ready = async () => {
    calls += 1;
    throw new Error('thrown');
  };
  const ask = readiness({ ready }, () => {}, 60_000);
  await t.throwsAsync(ask(), { message: 'thrown' });
  await t.throwsAsync(ask(), { message: 'thrown' });
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

test('whoever asks a storage that does not answer is told so in time, and it is not asked again meanwhile', async (t) => {
  const { ask, asked, answer, events } = controlled(1);
  const reason = 'the storage cannot be reached, or does not answer in time';
  t.deepEqual(await Promise.all([ask(), ask()]), Array(2).fill({ _tag: 'Unready', reason }));
  t.deepEqual(await ask(), { _tag: 'Unready', reason });
  t.is(asked.length, 1);
  t.deepEqual(events, [`not ready: ${reason}`]);
  answer(down);
});

test('/readyz does not wait for a storage that never answers', async (t) => {
  const storage = { ...aStorage([]), ready: () => new Promise<never>(() => {}) };
  const { ask } = await serve(t, [], { storage, readyTimeout: 1 });
  t.like(await ask('/readyz'), {
    status: 503,
    body: { reason: 'the storage cannot be reached, or does not answer in time' },
  });
});

test('a server whose changed fixtures are invalid is ready, and says so', async (t) => {
  let hasReloadFailed = true;
  const { ask } = await serve(t, [], { hasReloadFailed: () => hasReloadFailed });
  const notice = 'the changed fixtures are invalid; the previous ones are served';
  const problem = await ask('/readyz');
  t.deepEqual([problem.status, problem.body], [200, { status: 'ok', notice }]);
  hasReloadFailed = false;
  t.deepEqual((await ask('/readyz')).body, { status: 'ok' });
});
