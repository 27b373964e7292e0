import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import pg from 'pg';
import { guardedWorker } from '../../../../src/storage/postgres/citus.js';
import type { DatabaseError } from '../../../../src/storage/postgres/database-error.js';

const statement = { text: 'SELECT', values: [] };

const serverError = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('failed', 0, 'error'), { code });

const unavailable = (cause: unknown): DatabaseError => ({ _tag: 'StorageUnavailable', cause });

/** A gate to a worker that answers as `answer` says, a clock that stands still, and what was logged. */
const aGate = () => {
  let answer: E.Either<DatabaseError, readonly unknown[]> = E.right([]);
  let time = 0;
  let sent = 0;
  const events: string[] = [];
  const gate = guardedWorker(
    {
      query: () => async () => {
        sent += 1;
        return answer;
      },
      transaction: () => {
        throw new Error('no transaction is begun');
      },
    },
    { name: 'worker 1', elapsed: () => time, log: (_, event) => events.push(event) },
  );
  return {
    gate,
    events,
    sent: () => sent,
    answers: (next: typeof answer) => {
      answer = next;
    },
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
};

test('a worker that refuses a connection is away at once, and is tried again after a pause', async (t) => {
  const { gate, events, sent, answers, pass } = aGate();
  answers(E.left(unavailable(serverError('08006'))));
  t.true(E.isLeft(await gate.query(statement)()));
  t.true(gate.isAway());
  t.true(E.isLeft(await gate.query(statement)()));
  t.is(sent(), 1, 'the second statement was not sent');
  pass(500);
  answers(E.right(['row']));
  t.deepEqual(await gate.query(statement)(), E.right(['row']));
  t.false(gate.isAway());
  t.deepEqual(events, ['worker 1 is away; its tenants get 503', 'worker 1 answers again']);
});

test('while a worker is away, one statement at a time tries it', async (t) => {
  const { gate, sent, answers, pass } = aGate();
  answers(E.left(unavailable(new Error('no answer'))));
  await gate.query(statement)();
  pass(500);
  const results = await Promise.all([1, 2, 3, 4].map(() => gate.query(statement)()));
  t.true(results.every(E.isLeft));
  t.is(sent(), 2);
});

test('one slow statement does not close the gate, three in a row do', async (t) => {
  const { gate, answers } = aGate();
  const cancelled = E.left(unavailable(serverError('57014')));
  for (const [answer, isAway] of [
    [cancelled, false],
    [cancelled, false],
    [E.right([]), false],
    [cancelled, false],
    [cancelled, false],
    [cancelled, true],
  ] as const) {
    answers(answer);
    await gate.query(statement)();
    t.is(gate.isAway(), isAway);
  }
});

test('errors of the program do not close the gate', async (t) => {
  const { gate, answers } = aGate();
  answers(E.left({ _tag: 'StorageFailed', cause: serverError('42883') }));
  for (let i = 0; i < 5; i += 1) await gate.query(statement)();
  t.false(gate.isAway());
});

test('what becomes of statements in the background says nothing about the worker', async (t) => {
  const { gate, answers, sent } = aGate();
  answers(E.left(unavailable(serverError('08006'))));
  await gate.inBackground(statement)();
  t.false(gate.isAway());
  await gate.query(statement)();
  t.true(E.isLeft(await gate.inBackground(statement)()));
  t.is(sent(), 2, 'nothing is sent to a worker that is away');
});
