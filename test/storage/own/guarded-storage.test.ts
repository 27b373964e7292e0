import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { guardedStorage } from '../../../src/storage/own/open-own-storage.js';
import type { Storage } from '../../../src/storage/port.js';
import { cookie, serve } from '../../_server.js';
import { aStorage, bySession } from '../../_storage.js';
import { acme } from '../../http/_world.js';

const right = aStorage([acme]);
const session = cookie('acme-cookie');
const range = { offset: 0, limit: 20, repoId: undefined };

/** A storage of an author without types: `findings` does this. */
const withFindings = (findings: unknown, timeLimit = 60_000): Storage =>
  guardedStorage(Object.assign({ ...right }, { findings }), timeLimit);

const findings = async (of: Storage) => of.findings(bySession('acme-cookie'), range)();

const resolvesTo = (value: unknown) => () => async () => value;

/** The rows of the right storage, as plain objects that are not frozen. */
const rows = async (): Promise<readonly Record<string, unknown>[]> => {
  const found = await findings(right);
  return E.isRight(found) ? found.right.rows.map((row) => ({ ...row })) : [];
};

test('what keeps to the port is returned as it is, and frozen objects stay the same ones', async (t) => {
  const guarded = guardedStorage(right, 60_000);
  const [first, second] = [await findings(guarded), await findings(guarded)];
  t.deepEqual(first, await findings(right));
  t.true(E.isRight(first) && E.isRight(second));
  if (E.isLeft(first) || E.isLeft(second)) return;
  t.true(Object.isFrozen(first.right.rows[0]));
  t.is(first.right.rows[0], second.right.rows[0]);
});

test('a row that is not frozen is copied: a later change of it is not served', async (t) => {
  const own = await rows();
  const found = await findings(withFindings(resolvesTo(E.right({ rows: own, total: own.length }))));
  Object.assign(own[0] ?? {}, { severity: 'changed' });
  t.true(E.isRight(found));
  t.not(E.isRight(found) ? found.right.rows[0]?.severity : '', 'changed');
});

for (const [name, value, tag] of [
  ['does not return a function', () => null, 'StorageFailed'],
  [
    'throws',
    () => {
      throw new Error('no');
    },
    'StorageFailed',
  ],
  ['rejects', () => () => Promise.reject(new Error('no')), 'StorageFailed'],
  ['never settles', () => () => new Promise(() => {}), 'StorageUnavailable'],
  ['resolves to nothing', resolvesTo(undefined), 'StorageFailed'],
  ['resolves to null', resolvesTo(null), 'StorageFailed'],
  [
    'resolves to an object whose parts throw',
    resolvesTo({
      _tag: 'Right',
      get right() {
        throw new Error('no');
      },
    }),
    'StorageFailed',
  ],
  ['resolves to a list instead of an Either', resolvesTo([]), 'StorageFailed'],
  ['fails with an error that the port does not have', resolvesTo(E.left({ _tag: 'Oops' })), 'StorageFailed'],
  ['fails with an error of another operation', resolvesTo(E.left({ _tag: 'EmailTaken' })), 'StorageFailed'],
  ['fails with an error of its own', resolvesTo(E.left({ _tag: 'Unauthorized' })), 'Unauthorized'],
  [
    'fails with a broken record without problems',
    resolvesTo(E.left({ _tag: 'RecordBroken' })),
    'StorageFailed',
  ],
  [
    'fails with a broken record whose problems are something else',
    resolvesTo(E.left({ _tag: 'RecordBroken', where: 'findings', problems: [1] })),
    'StorageFailed',
  ],
  ['returns no rows', resolvesTo(E.right(null)), 'RecordBroken'],
  ['returns a total that is no number', resolvesTo(E.right({ rows: [], total: '3' })), 'RecordBroken'],
  ['returns a negative total', resolvesTo(E.right({ rows: [], total: -1 })), 'RecordBroken'],
  ['returns a row that is null', resolvesTo(E.right({ rows: [null], total: 1 })), 'RecordBroken'],
  ['returns a list with a hole', resolvesTo(E.right({ rows: new Array(1), total: 1 })), 'RecordBroken'],
] as const) {
  test(`an operation that ${name} is ${tag}`, async (t) => {
    const found = await findings(withFindings(value, name === 'never settles' ? 10 : undefined));
    t.is(E.isLeft(found) ? found.left._tag : 'Right', tag);
  });
}

for (const readiness of [
  undefined,
  { _tag: 'SchemaNewer', unknown: ['2027-01-add-teams'] },
  { _tag: 'WorkersAway', workers: ['10.0.0.2:5432'] },
]) {
  test(`a storage may be ready with ${readiness?._tag ?? 'nothing to tell'}`, async (t) => {
    const guarded = guardedStorage(
      Object.assign({ ...right }, { ready: resolvesTo(E.right(readiness)) }),
      60_000,
    );
    const found: unknown = await guarded.ready()();
    t.deepEqual(found, E.right(readiness));
  });
}

test('a storage that is ready with anything else is RecordBroken', async (t) => {
  for (const readiness of ['yes', { _tag: 'WorkersAway' }, { _tag: 'SchemaNewer', unknown: [1] }]) {
    const guarded = guardedStorage(
      Object.assign({ ...right }, { ready: resolvesTo(E.right(readiness)) }),
      60_000,
    );
    const found = await guarded.ready()();
    t.is(E.isLeft(found) ? found.left._tag : 'Right', 'RecordBroken');
  }
});

test('more rows than were asked for are a broken record', async (t) => {
  const own = await rows();
  const guarded = withFindings(resolvesTo(E.right({ rows: own, total: own.length })));
  const found = await guarded.findings(bySession('acme-cookie'), { ...range, limit: 1 })();
  t.is(E.isLeft(found) ? found.left._tag : 'Right', 'RecordBroken');
});

test('a row of which any field is anything is served as it is or refused, never sent broken', async (t) => {
  const [row = {}] = await rows();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(row)), fc.jsonValue(), async (field, value) => {
      const changed = { ...row, [field]: value };
      const found = await findings(withFindings(resolvesTo(E.right({ rows: [changed], total: 1 }))));
      if (E.isRight(found)) t.is(JSON.stringify(found.right.rows), JSON.stringify([changed]));
      else t.is(found.left._tag, 'RecordBroken');
    }),
  );
});

test('a broken row is answered with 500, and the log names the operation and the field', async (t) => {
  const own = await rows();
  Object.assign(own[0] ?? {}, { severity: 'moderate' });
  const guarded = withFindings(resolvesTo(E.right({ rows: own, total: own.length })));
  const { ask, logged } = await serve(t, [], { storage: guarded });
  const answer = await ask('/api/v1/findings', session);
  t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
  t.deepEqual(
    logged
      .filter(({ level }) => level === 'error')
      .map(({ event, facts }) => [event, Object(facts).where, Object(facts).problems]),
    [
      [
        'the storage holds a broken record',
        'findings',
        ['/rows/0/severity: expected one of critical, high, medium, low, got "moderate"'],
      ],
    ],
  );
});

test('an operation that does not settle is answered with 503', async (t) => {
  const { ask } = await serve(t, [], { storage: withFindings(() => () => new Promise(() => {}), 10) });
  t.is((await ask('/api/v1/findings', session)).status, 503);
});

test('what a storage tells of the caller is not believed blindly', async (t) => {
  const seen: unknown[] = [];
  const guarded = guardedStorage(
    Object.assign(
      { ...right },
      {
        repos: ({ onCaller }: { onCaller: (caller: unknown) => void }) => {
          onCaller(null);
          onCaller({ userId: 'x', more: 1 });
          return async () => E.right([]);
        },
      },
    ),
    60_000,
  );
  await guarded.repos({ ...bySession('acme-cookie'), onCaller: (caller) => seen.push(caller) })();
  t.deepEqual(seen, [{ userId: 'x' }]);
});
