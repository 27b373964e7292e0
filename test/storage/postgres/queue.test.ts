import test from 'ava';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import type { Statement } from '../../../src/storage/postgres/database.js';
import { findingsQuery, reposQuery } from '../../../src/storage/postgres/queries.js';
import { DatabaseBusy, type Ending, statementQueue, type Turn } from '../../../src/storage/postgres/queue.js';
import { at } from '../../_data.js';
import { byToken } from '../../_storage.js';

/** A queue over a database that answers when it is told to, by a clock that the test moves. */
const queueOf = (places: number, timeLimit = 60_000) => {
  let now = 0;
  const runs: Readonly<{ turn: Turn; text: string; end: (ending: Ending) => void }>[] = [];
  const run = (turn: Turn): Promise<Ending> =>
    new Promise((end) => void runs.push({ turn, text: turn.statement.text, end }));
  const queue = statementQueue({ places, timeLimit, elapsed: () => now, run });
  return {
    ...queue,
    runs,
    started: () => runs.map(({ text }) => text),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** The database answers a statement, by its place in the order of their starts. */
    answer: async (index: number, row: unknown = index): Promise<void> => {
      runs[index]?.turn.resolve([row]);
      runs[index]?.end('answered');
      await settled();
    },
  };
};

/** Lets what was told to settle do so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const ask = (text: string, over: Partial<Statement> = {}): Statement => ({ text, values: [], ...over });

const page = findingsQuery({ repoId: undefined, offset: 0, limit: 25 });
const later = { ...byToken('t'), at: timestampAt(at('2026-11-21T00:00:00.000Z')) };

test('equal reads that wait are one statement, the latest of them', async (t) => {
  const { query, runs, answer } = queueOf(1);
  const first = query(page.byCredentials(byToken('t')));
  const [second, third] = [byToken('t'), later].map((by) => query(page.byCredentials(by)));
  await answer(0, 'first');
  t.is(runs.length, 2);
  t.deepEqual(runs[1]?.turn.statement.values, page.byCredentials(later).values);
  await answer(1, 'second');
  t.deepEqual(await Promise.all([first, second, third]), [['first'], ['second'], ['second']]);
  t.is(runs.length, 2);
});

test('a read that is asked for after a write does not share the answer of one that ran before it', async (t) => {
  const { query, runs, answer } = queueOf(1);
  let stored = 'old';
  const before = query(page.byCredentials(byToken('t')));
  const seen = stored;
  stored = 'new';
  const after = query(page.byCredentials(byToken('t')));
  await answer(0, seen);
  t.is(runs.length, 2);
  await answer(1, stored);
  t.deepEqual([await before, await after], [['old'], ['new']]);
});

test('reads that differ are not shared', (t) => {
  const shares = [
    page.byCredentials(byToken('t')),
    page.byCredentials(byToken('t'), 'a version'),
    page.byCredentials(byToken('another')),
    page.byCredentials({ ...byToken('t'), session: byToken('t').apiToken, apiToken: null }),
    findingsQuery({ repoId: undefined, offset: 25, limit: 25 }).byCredentials(byToken('t')),
    findingsQuery({ repoId: 'r', offset: 0, limit: 25 }).byCredentials(byToken('t')),
    reposQuery.byCredentials(byToken('t')),
    page.byTenant('t'),
    page.byTenant('t', 'a version'),
  ].map(({ share }) => share);
  t.is(new Set(shares).size, shares.length);
});

test('a group gets a part of the places, and groups take turns', async (t) => {
  const { query, started, answer } = queueOf(2);
  const large = [1, 2, 3, 4].map((n) => query(ask(`large ${n}`, { group: 'large' })));
  const alone = query(ask('alone'));
  const small = query(ask('small', { group: 'small' }));
  t.deepEqual(started(), ['large 1', 'alone']);
  await answer(0);
  t.deepEqual(started().slice(2), ['large 2']);
  await answer(2);
  t.deepEqual(started().slice(3), ['small']);
  await answer(1);
  t.deepEqual(started().slice(4), ['large 3']);
  await answer(3);
  t.is(started().length, 5, 'a large group leaves a place to others');
  await answer(4);
  await answer(5);
  t.deepEqual((await Promise.all([...large, alone, small])).length, 6);
});

test('what asks how the database is waits for nobody', async (t) => {
  const { query, started } = queueOf(2);
  // None of them is answered, so that each is refused when its time is over.
  const unanswered = (...asked: Parameters<typeof ask>): void => void query(ask(...asked)).catch(() => {});
  for (const text of ['1', '2', '3']) unanswered(text);
  unanswered('how is it?', { group: null });
  await settled();
  t.deepEqual(started(), ['1', '2', 'how is it?']);
});

test('a group that fills its queue is refused at once, and others are not', async (t) => {
  const { query, waiting, started, answer } = queueOf(4);
  const all = Array.from({ length: 101 }, (_, n) => query(ask(`${n}`, { group: 'large' })));
  t.is(waiting(), 100);
  await t.throwsAsync(query(ask('one too many', { group: 'large' })), { instanceOf: DatabaseBusy });
  const small = query(ask('small', { group: 'small' }));
  t.is(started().at(-1), 'small');
  await answer(1, 'small');
  t.deepEqual(await small, ['small']);
  for (const [index] of all.entries()) await answer(index === 0 ? 0 : index + 1);
  await Promise.all(all);
});

test('a statement is not started if all of its group have lately taken longer than it has left', async (t) => {
  const { query, started, answer, pass } = queueOf(4);
  const texts = ['1st', '2nd', '3rd', '4th', '5th'];
  const [fifth = Promise.resolve(), ...others] = texts
    .map((text) => query(ask(text, { group: 'g' })))
    .reverse();
  for (const index of [0, 1, 2, 3]) {
    pass(12_000);
    await answer(index);
  }
  t.deepEqual(started(), texts.slice(0, 4), 'it has 12 seconds left, and may need 24');
  await t.throwsAsync(fifth, { instanceOf: DatabaseBusy });
  await Promise.all(others);
});

test('a statement is started after one that has waited for a lock, however little time it has left', async (t) => {
  const { query, started, answer, pass } = queueOf(4);
  const answers = ['1st', '2nd', '3rd'].map((text) => query(ask(text, { group: 'g' })));
  pass(55_000);
  for (const index of [0, 1, 2]) await answer(index);
  t.deepEqual(started(), ['1st', '2nd', '3rd']);
  await Promise.all(answers);
});

test('a statement that would have to wait too long is refused at once', async (t) => {
  const { query, started, answer, pass } = queueOf(4);
  const first = ['1st', '2nd'].map((text) => query(ask(text, { group: 'g' })));
  pass(15_000);
  await answer(0);
  const waiting = ['3rd', '4th', '5th', '6th', '7th'].map((text) => query(ask(text, { group: 'g' })));
  await t.throwsAsync(query(ask('8th', { group: 'g' })), { instanceOf: DatabaseBusy });
  for (const index of [1, 2, 3, 4, 5, 6]) await answer(index);
  await Promise.all([...first, ...waiting]);
  t.is(started().length, 7);
});

test('a database that gives no sign of life is not called busy', async (t) => {
  const { query, pass } = queueOf(1, 500);
  const running = query(ask('running'));
  const waiting = query(ask('waiting'));
  pass(500);
  for (const each of [running, waiting]) {
    const error = await t.throwsAsync(each);
    t.false(error instanceof DatabaseBusy);
  }
});

test('a database that has not answered for long is not called busy when it gets more to do', async (t) => {
  const { query, runs, pass } = queueOf(1, 500);
  const lost = query(ask('lost', { group: 'g' }));
  pass(700);
  runs[0]?.turn.reject(new Error('lost'));
  runs[0]?.end('silent');
  await t.throwsAsync(lost);
  const next = ['running', 'waiting', 'another'].map((text) => query(ask(text, { group: 'g' })));
  for (const each of next) {
    const error = await t.throwsAsync(each);
    t.false(error instanceof DatabaseBusy);
  }
});

test('a statement for which no connection is granted waits for those there are', async (t) => {
  const { query, runs, started, answer } = queueOf(2);
  const both = ['first', 'second'].map((text) => query(ask(text)));
  runs[1]?.end('full');
  await settled();
  t.deepEqual(started(), ['first', 'second']);
  await answer(0);
  t.deepEqual(started(), ['first', 'second', 'second']);
  await answer(2);
  t.deepEqual(await Promise.all(both), [[0], [2]]);
});

test('if none is granted at all, the queue tries again after a moment', async (t) => {
  const { query, runs, answer } = queueOf(2);
  const only = query(ask('only'));
  runs[0]?.end('full');
  while (runs.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  await answer(1);
  t.deepEqual(await only, [1]);
});
