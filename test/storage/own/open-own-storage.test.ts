import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { openOwnStorage } from '../../../src/storage/own/open-own-storage.js';
import { aStorage } from '../../_storage.js';

const right = aStorage([]);
const limits = { toOpen: 20, toAnswer: 60_000, toClose: 20 };
const patient = { ...limits, toOpen: 60_000, toClose: 60_000 };

const context = (events: string[] = []) => ({
  clock: () => 0,
  log: (_: string, event: string) => void events.push(event),
});

const opened = (given: unknown, events: string[] = []) => openOwnStorage(given, context(events), patient);

test('a storage is given as itself, with what closes it, or as a function that makes either', async (t) => {
  for (const given of [
    right,
    { storage: right },
    () => right,
    async () => ({ storage: right, close: () => {} }),
  ]) {
    const result = await opened(given);
    t.true(E.isRight(result));
    if (E.isLeft(result)) continue;
    t.true(E.isRight(await result.right.storage.ready()()));
    await t.notThrowsAsync(result.right.close());
  }
});

test('the function gets the clock and the log of the server', async (t) => {
  const given = context();
  const make = (received: unknown) => {
    t.is(received, given);
    return right;
  };
  await openOwnStorage(make, given, patient);
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
  ['a text', 'sqlite', ['expected a storage, an object of functions, got "sqlite"']],
  ['a function that makes nothing', () => {}, ['expected a storage, an object of functions, got nothing']],
  [
    'a function that makes a function',
    () => () => {},
    ['expected a storage, an object of functions, got a function'],
  ],
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

test('what was opened is closed if it is no storage', async (t) => {
  let closed = 0;
  await opened({
    storage: {},
    close: () => {
      closed += 1;
    },
  });
  t.is(closed, 1);
});
