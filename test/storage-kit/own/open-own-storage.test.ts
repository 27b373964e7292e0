import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { Storage } from '../../../src/accounts/account-storage.js';
import { rowsFound } from '../../../src/storage-kit/conformance/conformance-case.js';
import { openOwnStorage } from '../../../src/storage-kit/own/open-own-storage.js';
import { cookie, serve } from '../../_server.js';
import { aStorage, bySession } from '../../_storage.js';
import { acme } from '../../koa/_world.js';

const right = aStorage([]);
const limits = { toOpen: 20, toAnswer: 60_000, toClose: 20 };
const patient = { ...limits, toOpen: 60_000, toClose: 60_000 };

const context = (events: string[] = []) => ({
  clock: () => 0,
  log: (_: string, event: string) => void events.push(event),
});

const opened = (given: unknown, events: string[] = []) => openOwnStorage(given, context(events), patient);

test('a module exports a storage, a storage with its close function, or a function that makes either', async (t) => {
  for (const given of [
    right,
    { storage: right },
    () => right,
    async () => ({ storage: right, close: () => {} }),
  ]) {
    const result = await opened(given);
    t.true(E.isRight(result));
    if (E.isLeft(result)) continue;
    t.true(E.isRight(await result.right.storage.ready()));
    await t.notThrowsAsync(result.right.close());
  }
});

test('close is called once, with its object, and a failure or a delay of it is logged', async (t) => {
  const calls: unknown[] = [];
  const made = {
    storage: right,
    close() {
      calls.push(this);
    },
  };
  const good = await opened(made);
  if (E.isRight(good)) await good.right.close();
  t.deepEqual(calls, [made]);
  const events: string[] = [];
  for (const close of [
    () => Promise.reject(new Error('no')),
    () => {
      throw new Error('no');
    },
  ]) {
    const result = await opened({ storage: right, close }, events);
    if (E.isRight(result)) await result.right.close();
  }
  const slow = await openOwnStorage(
    { storage: right, close: () => new Promise(() => {}) },
    context(events),
    limits,
  );
  if (E.isRight(slow)) await slow.right.close();
  t.deepEqual(events, [
    'the storage could not be closed',
    'the storage could not be closed',
    'the storage did not close in time',
  ]);
});

for (const [name, given, lines] of [
  ['null', null, ['expected a storage, an object of functions, got null']],
  ['a function that makes nothing', () => {}, ['expected a storage, an object of functions, got nothing']],
  [
    'an object without operations',
    { storage: {} },
    [
      'these operations of the storage are missing: ready, caller, userByEmail, user, signUp, changePassword, deleteAccount, startSession, endSession, apiTokens, addApiToken, revokeApiToken, repos, findings, finding, prs',
    ],
  ],
  [
    'a storage with a mistake or two',
    { ...right, prs: undefined, user: [], ready: true },
    [
      'these operations of the storage are missing: prs',
      'ready: expected a function, got true',
      'user: expected a function, got an array of 0',
    ],
  ],
  ['a close that is no function', { storage: right, close: 1 }, ['close: expected a function']],
] as const) {
  test(`${name} is no storage, and the message says why`, async (t) => {
    t.deepEqual(await opened(given), E.left(lines));
  });
}

test('a storage whose getter throws is no storage, and the message says where it threw', async (t) => {
  const ready = {
    get ready() {
      throw new Error('no connection');
    },
  };
  const close = {
    get close() {
      throw new Error('no connection');
    },
  };
  for (const given of [ready, { storage: ready }, close]) {
    const lines = E.swap(await opened(given));
    t.regex(
      E.isRight(lines) ? lines.right.join('\n') : '',
      /^the storage cannot be read: Error: no connection \(at .*\)$/,
    );
  }
});

test('a function that throws or rejects: the message has the error and its place', async (t) => {
  for (const make of [
    () => {
      throw new Error('no database');
    },
    async () => Promise.reject(new Error('no database')),
  ]) {
    const result = await opened(make);
    t.regex(
      E.isLeft(result) ? result.left.join('\n') : '',
      /^the function that makes the storage failed: Error: no database \(at .*open-own-storage\.test/,
    );
  }
  t.deepEqual(
    await opened(() => Promise.reject('odd')),
    E.left(['the function that makes the storage failed: odd']),
  );
});

test('a function that does not resolve in time: what it opens after all is closed', async (t) => {
  let open = (_: unknown): void => {};
  const made = new Promise((resolve) => {
    open = resolve;
  });
  const result = await openOwnStorage(() => made, context(), limits);
  t.deepEqual(result, E.left(['the function that makes the storage did not resolve within 0.02 seconds']));
  await new Promise<void>((resolve) => open({ storage: right, close: resolve }));
  t.pass();
});

test('a value that is no storage is closed if it can be', async (t) => {
  let closed = 0;
  await opened({
    storage: {},
    close: () => {
      closed += 1;
    },
  });
  t.is(closed, 1);
});

const ofAcme = aStorage([acme]);
const session = cookie('acme-cookie');
const range = { offset: 0, limit: 20, repoId: undefined };

/** A storage of an author without types: `findings` does this. */
const withFindings = (findings: unknown, timeLimit = 60_000): Promise<Storage> =>
  guarded({ ...ofAcme, findings }, timeLimit);

/** A storage as it is served once it was opened. */
const guarded = async (storage: object, toAnswer = 60_000): Promise<Storage> => {
  const opened = await openOwnStorage(storage, context(), { ...patient, toAnswer });
  if (E.isLeft(opened)) throw new Error(opened.left.join());
  return opened.right.storage;
};

const findings = async (of: Storage) => of.findings(bySession('acme-cookie'), range);

const resolvesTo = (value: unknown) => async () => value;

/** The rows of the right storage. */
const rows = async (): Promise<readonly Record<string, unknown>[]> => {
  const found = await rowsFound(findings(ofAcme));
  return found.rows.map((row) => ({ ...row }));
};

/** What a read finds, for the user of the session. */
const found = (rows: unknown, over: Readonly<Record<string, unknown>> = {}) =>
  resolvesTo(E.right({ caller: { userId: 'acme' }, version: null, rows, ...over }));

test('results that keep to the port are returned unchanged', async (t) => {
  t.deepEqual(await findings(await guarded(ofAcme)), await findings(ofAcme));
  const unchanged = { caller: { userId: 'acme' }, unchanged: true } as const;
  t.deepEqual(await findings(await withFindings(resolvesTo(E.right(unchanged)))), E.right(unchanged));
});

test('a caller or a version of the wrong form is a broken record', async (t) => {
  const none = { rows: [], total: 0 };
  t.deepEqual(
    await findings(await withFindings(found(none, { caller: { userId: 'x', more: 1 } }))),
    E.right({ caller: { userId: 'x' }, version: null, rows: none }),
  );
  for (const over of [{ caller: null }, { caller: {} }, { version: 7 }, { version: undefined }]) {
    const answered = await findings(await withFindings(found(none, over)));
    t.is(E.isLeft(answered) ? answered.left._tag : 'Right', 'RecordBroken', JSON.stringify(over));
  }
});

for (const [name, value, tag] of [
  ['returns a function', () => async () => E.right({ rows: [], total: 0 }), 'StorageFailed'],
  [
    'throws',
    () => {
      throw new Error('no');
    },
    'StorageFailed',
  ],
  ['rejects', () => Promise.reject(new Error('no')), 'StorageFailed'],
  ['never settles', () => new Promise(() => {}), 'StorageUnavailable'],
  ['resolves to nothing', resolvesTo(undefined), 'StorageFailed'],
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
  ['fails with an error that the port does not have', resolvesTo(E.left({ _tag: 'Oops' })), 'StorageFailed'],
  ['fails with an error of its own', resolvesTo(E.left({ _tag: 'Unauthorized' })), 'Unauthorized'],
  [
    'fails with a broken record whose problems are something else',
    resolvesTo(E.left({ _tag: 'RecordBroken', where: 'findings', problems: [1] })),
    'StorageFailed',
  ],
  ['returns no rows', resolvesTo(E.right(null)), 'RecordBroken'],
  ['returns a total that is no number', found({ rows: [], total: '3' }), 'RecordBroken'],
  ['returns a row that is null', found({ rows: [null], total: 1 }), 'RecordBroken'],
] as const) {
  test(`an operation that ${name} is ${tag}`, async (t) => {
    const found = await findings(await withFindings(value, name === 'never settles' ? 10 : undefined));
    t.is(E.isLeft(found) ? found.left._tag : 'Right', tag);
  });
}

for (const readiness of [
  undefined,
  { _tag: 'SchemaNewer', unknown: ['2027-01-add-teams'] },
  { _tag: 'WorkersAway', workers: ['10.0.0.2:5432'] },
]) {
  test(`a storage may be ready with ${readiness?._tag ?? 'nothing to tell'}`, async (t) => {
    const { ready } = await guarded({ ...ofAcme, ready: resolvesTo(E.right(readiness)) });
    const found: unknown = await ready();
    t.deepEqual(found, E.right(readiness));
  });
}

test('any other result of ready is a broken record', async (t) => {
  for (const readiness of ['yes', { _tag: 'WorkersAway' }, { _tag: 'SchemaNewer', unknown: [1] }]) {
    const { ready } = await guarded({ ...ofAcme, ready: resolvesTo(E.right(readiness)) });
    const found = await ready();
    t.is(E.isLeft(found) ? found.left._tag : 'Right', 'RecordBroken');
  }
});

test('more rows than were asked for are a broken record', async (t) => {
  const own = await rows();
  const guarded = await withFindings(found({ rows: own, total: own.length }));
  const answered = await guarded.findings(bySession('acme-cookie'), { ...range, limit: 1 });
  t.is(E.isLeft(answered) ? answered.left._tag : 'Right', 'RecordBroken');
});

test('a row with any value in any field is served or refused, never sent broken', async (t) => {
  const [row = {}] = await rows();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(row)), fc.jsonValue(), async (field, value) => {
      const changed = { ...row, [field]: value };
      const answered = await findings(await withFindings(found({ rows: [changed], total: 1 })));
      if (E.isLeft(answered)) t.is(answered.left._tag, 'RecordBroken');
      else t.is(JSON.stringify(Object(answered.right).rows.rows), JSON.stringify([changed]));
    }),
  );
});

test('a broken row is answered with 500, and the log names the operation and the field', async (t) => {
  const own = await rows();
  Object.assign(own[0] ?? {}, { severity: 'moderate' });
  const guarded = await withFindings(found({ rows: own, total: own.length }));
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
        ['/rows/rows/0/severity: expected one of critical, high, medium, low, got "moderate"'],
      ],
    ],
  );
});
